import { expect, test } from "vitest";

import { tablesCsv } from "./pageTables";

test("every table has its title, its heads and its cells, with what needs quotes in quotes", () => {
  document.body.innerHTML = `<main><h2>Policies</h2><div><table><thead><tr><th>Policy</th><th>Lost</th></tr></thead>
    <tbody><tr><th>DT, α 1</th><td>1.5&nbsp;MB</td></tr></tbody></table></div>
    <table><caption>Said "so"</caption><tr><td>a</td></tr><tr><td>b "c"</td></tr></table>
    <table><tr><td>a head alone is no table</td></tr></table></main>`;
  expect(tablesCsv(document.body)).toBe(
    ["# Policies", "Policy,Lost", '"DT, α 1",1.5 MB', "", '# Said "so"', "a", '"b ""c"""', ""].join("\n"),
  );
});
