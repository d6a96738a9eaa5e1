/** The script of the page: it hides rows that do not fit the filters. The page is complete without it. */
export const SCRIPT = `
"use strict";
(() => {
  const form = document.getElementById("filters");
  const shown = document.getElementById("shown");
  const rows = [...document.querySelectorAll("#rows tbody tr")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const value = (name) => form.elements[name].value;
  const fits = (row, i) =>
    (value("decision") === "" || row.dataset.decision === value("decision")) &&
    (value("finding") === "" || row.dataset.findings.split("|").includes(value("finding"))) &&
    (value("chain") === "" || row.dataset.chain === value("chain")) &&
    (value("tenant") === "" || row.dataset.tenant === value("tenant")) &&
    texts[i].includes(value("text").trim().toLowerCase());
  const apply = () => {
    let count = 0;
    rows.forEach((row, i) => {
      row.hidden = !fits(row, i);
      if (!row.hidden) count++;
    });
    shown.textContent = count + " of " + rows.length + " rows fit the filters";
  };
  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  apply();
})();
`;
