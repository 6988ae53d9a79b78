/** The tables of a page as comma-separated values: what stands in them, with the units that stand there. */

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const textOf = (cell: Element) => cell.textContent.replace(/\s+/g, " ").trim();

/** What a table is about: its caption, or the nearest heading before it. */
function titleOf(table: HTMLTableElement): string {
  if (table.caption !== null) return textOf(table.caption);
  for (let part: Element | null = table; part !== null && part.tagName !== "MAIN"; part = part.parentElement) {
    for (let before = part.previousElementSibling; before !== null; before = before.previousElementSibling) {
      const heading = /^(H\d|FIGCAPTION)$/.test(before.tagName)
        ? before
        : before.querySelector("h1, h2, h3, figcaption");
      if (heading !== null) return textOf(heading);
    }
  }
  return "";
}

/** Every table below `root`, one after the other, a line with its title before each. */
export function tablesCsv(root: Element): string {
  return [...root.querySelectorAll("table")]
    .filter((table) => table.rows.length > 1)
    .map((table) => {
      const lines = [...table.rows].map((row) => [...row.cells].map((cell) => quoted(textOf(cell))).join(","));
      return [`# ${titleOf(table)}`.trim(), ...lines, ""].join("\n");
    })
    .join("\n");
}
