import { useComputedColorScheme } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useMemo, useState } from "react";

import classes from "./windows.module.css";
import { percent } from "@/lib/number";
import { palettes } from "@/lib/palette";
import { joined, onset, possibleJoins, windowName, windowsFigure, type Windows } from "@/lib/windows";
import { Plot } from "@/plot/Plot";

const nothing = () => {};
const TEXT = { summary: "Drop rate against utilisation, a point per window. The table below counts them." };

/**
 * Drop rate against utilisation, a point per window: what averaging over longer windows hides of the onset of drops.
 */
export function WindowScatter({ windows }: { windows: Windows }) {
  const { ref, width, height } = useElementSize();
  const scheme = useComputedColorScheme("light");
  const joins = possibleJoins(windows);
  const [wanted, setWanted] = useState(1);
  const join = joins.includes(wanted) ? wanted : 1;
  const points = useMemo(() => joined(windows, join), [windows, join]);
  const figure = useMemo(() => windowsFigure(points, width, height, palettes[scheme]), [points, width, height, scheme]);
  const least = onset(points);
  const lossy = points.filter(({ dropRate }) => dropRate > 0).length;
  return (
    <div className={classes.windows}>
      <fieldset>
        <legend>Windows of</legend>
        {joins.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="windows"
              checked={one === join}
              onChange={() => {
                setWanted(one);
              }}
            />
            {windowName(windows.window, one)}
          </label>
        ))}
      </fieldset>
      <div ref={ref} className={classes.plot}>
        {width > 0 && <Plot figure={figure} text={TEXT} onRange={nothing} onName={nothing} />}
      </div>
      <p>
        {lossy} of {points.length} windows with drops
        {least === undefined ? "." : `, the first at ${percent(least)} utilisation.`}
      </p>
      <Bins points={points} />
    </div>
  );
}

/** The same in numbers: windows by their utilisation. */
function Bins({ points }: { points: ReturnType<typeof joined> }) {
  const bins = Array.from({ length: 10 }, (_, i) => {
    const inside = points.filter(
      ({ utilisation }) => utilisation >= i / 10 && (i === 9 ? true : utilisation < (i + 1) / 10),
    );
    const offered = inside.reduce((sum, one) => sum + one.offered, 0);
    const dropped = inside.reduce((sum, one) => sum + one.offered * one.dropRate, 0);
    return {
      from: i * 10,
      count: inside.length,
      lossy: inside.filter(({ dropRate }) => dropRate > 0).length,
      rate: offered === 0 ? 0 : dropped / offered,
    };
  }).filter(({ count }) => count > 0);
  return (
    <table className={classes.bins}>
      <thead>
        <tr>
          <th scope="col">Utilisation</th>
          <th scope="col">Windows</th>
          <th scope="col">With drops</th>
          <th scope="col">Drop rate</th>
        </tr>
      </thead>
      <tbody>
        {bins.map(({ from, count, lossy, rate }) => (
          <tr key={from}>
            <th scope="row">
              {from}–{from + 10} %
            </th>
            <td>{count}</td>
            <td>{lossy}</td>
            <td>{percent(rate)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
