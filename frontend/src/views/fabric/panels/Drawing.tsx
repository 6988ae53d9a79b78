import { useRef, useState, type ReactNode } from "react";

import classes from "./fabric.module.css";
import { download, downloadAddress } from "@/lib/browser";
import { pngOfSvg } from "@/plot/svgImage";

type Props = {
  /** Begins the names of the files. */
  name: string;
  title: string;
  csv: () => string;
  /** Contains the drawing: its first SVG becomes the picture. */
  children: ReactNode;
};

/** A figure with its title, and its picture and values to take away. */
export function Drawing({ name, title, csv, children }: Props) {
  const box = useRef<HTMLElement>(null);
  const [failed, setFailed] = useState(false);
  const picture = () => {
    const svg = box.current?.querySelector<SVGSVGElement>("svg[data-figure]");
    if (svg === null || svg === undefined) return;
    pngOfSvg(svg).then(
      (address) => {
        setFailed(false);
        downloadAddress(`footroom-${name}.png`, address);
      },
      () => {
        setFailed(true);
      },
    );
  };
  return (
    <section ref={box} className={classes.drawing} aria-label={title}>
      <div className={classes.head}>
        <h2>{title}</h2>
        <span>
          {failed && <small role="alert">The browser could not draw the picture. </small>}
          <button type="button" onClick={picture} aria-label={`${title}: download PNG`}>
            PNG
          </button>
          <button
            type="button"
            aria-label={`${title}: download CSV`}
            onClick={() => {
              download(`footroom-${name}.csv`, csv(), "text/csv");
            }}
          >
            CSV
          </button>
        </span>
      </div>
      {children}
    </section>
  );
}
