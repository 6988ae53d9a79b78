import { Button, Menu } from "@mantine/core";
import { useState } from "react";

import { copyText, download, downloadAddress } from "@/lib/browser";
import { csv } from "@/lib/csv";
import type { Figure } from "@/lib/figure";
import { encodeView } from "@/lib/permalink";
import type { Point } from "@/lib/points";
import { command, curl, python, type Question } from "@/lib/snippets";
import type { View } from "@/lib/view";
import { pngOf } from "@/plot/image";

type Props = {
  view: View;
  question: Question;
  points: Point[];
  /** The figure as it is to be printed. */
  figure: () => Figure;
};

/** Taking the question or its answer elsewhere: link, code, numbers, picture. */
export function ShareMenu({ view, question, points, figure }: Props) {
  const [said, setSaid] = useState("");
  const say = (text: string) => {
    setSaid(text);
    window.setTimeout(() => {
      setSaid("");
    }, 2500);
  };
  const copy = (what: string, text: string) => {
    copyText(text).then(
      () => {
        say(`${what} copied`);
      },
      () => {
        say("The browser did not allow copying");
      },
    );
  };
  const { origin, pathname } = window.location;
  // A link carries the scenario itself, so that it means the same when the preset has changed.
  const link = `${origin}${pathname}?${encodeView({ ...view, scenario: question.scenario })}`;
  const name = `footroom-${view.preset}`;
  const items: [string, string, () => void][][] = [
    [
      ["Copy link", "everything on this page", () => { copy("Link", link); }],
      ["Copy as Python", "fr.sweep(…)", () => { copy("Python", python(question)); }],
      ["Copy as curl", "the API", () => { copy("curl", curl(question, origin)); }],
      ["Copy as a command", "footroom sweep", () => { copy("Command", command(question)); }],
    ],
    [
      ["Download CSV", "every metric", () => { download(`${name}.csv`, csv(points), "text/csv"); }],
      ["Download JSON", "points with their scenario", () => { download(`${name}.json`, JSON.stringify({ points }, null, 1), "application/json"); }],
      ["Download scenario", "for the command line", () => { download("scenario.json", `${JSON.stringify(question.scenario, null, 2)}\n`, "application/json"); }],
      ["Download PNG", "the three plots", () => {
        pngOf(figure()).then((address) => { downloadAddress(`${name}.png`, address); }, () => { say("The picture could not be drawn"); });
      }],
    ],
  ];
  return (
    <>
      <span role="status" style={{ color: "var(--muted)", fontSize: 12.5 }}>
        {said}
      </span>
      <Menu position="bottom-end" width={340} shadow="md" transitionProps={{ duration: 80 }}>
        <Menu.Target>
          <Button size="compact-sm" variant="default">
            Copy or download
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {items.map((group, i) => (
            <div key={i} role="group">
              {i > 0 && <Menu.Divider />}
              {group.map(([title, hint, act]) => (
                <Menu.Item key={title} onClick={act} rightSection={<span style={{ color: "var(--muted)", fontSize: 12 }}>{hint}</span>}>
                  {title}
                </Menu.Item>
              ))}
            </div>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
