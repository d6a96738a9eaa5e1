const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text for the content or a quoted attribute of an element. Source: OWASP, Cross Site Scripting Prevention. */
export function escaped(text: string | number): string {
  return String(text).replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);
}

/** A table with a caption. The cells are HTML. The first cell of a row is its header. */
export function table(
  caption: string,
  header: readonly string[],
  rows: readonly (readonly string[])[],
  numeric: ReadonlySet<number> = new Set(),
): string {
  const cells = (row: readonly string[]) =>
    row.map((cell, i) => {
      const mark = numeric.has(i) ? ' class="n"' : "";
      return i === 0 ? `<th scope="row">${cell}</th>` : `<td${mark}>${cell}</td>`;
    });
  const heads = header.map((name, i) => `<th scope="col"${numeric.has(i) ? ' class="n"' : ""}>${escaped(name)}</th>`);
  const body = rows.map((row) => `<tr>${cells(row).join("")}</tr>`).join("\n");
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escaped(caption)}"><table>
<caption>${escaped(caption)}</caption>
<thead><tr>${heads.join("")}</tr></thead>
<tbody>
${body}
</tbody></table></div>`;
}

/** A count with groups of three digits. */
export function countHtml(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}
