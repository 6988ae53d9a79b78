import type { Item, Take } from "./TakeMenu";
import { download, downloadAddress } from "@/lib/browser";
import { tablesCsv } from "@/lib/pageTables";
import { pngOfLargest } from "@/plot/pageImage";

const page = () => document.querySelector("main") ?? document.body;

/** The tables that the view shows, as they stand there. */
export const tablesItem = (name: string, { say }: Take): Item => [
  "Download CSV",
  "the tables of this page",
  () => {
    const text = tablesCsv(page());
    if (text === "") say("There is no table on this page yet");
    else download(`${name}.csv`, text, "text/csv");
  },
];

/** The plot that the view shows, or the largest of several. */
export const pictureItem = (name: string, { say }: Take): Item => [
  "Download PNG",
  "the largest plot",
  () => {
    pngOfLargest(page()).then(
      (address) => {
        if (address === undefined) say("There is no plot on this page yet");
        else downloadAddress(`${name}.png`, address);
      },
      () => {
        say("The picture could not be drawn");
      },
    );
  },
];
