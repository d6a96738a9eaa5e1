/**
 * Beginnings that a spreadsheet takes for a formula, also behind blanks, quotes and controls, and in their full-width
 * forms. Source: OWASP, CSV Injection.
 */
const FORMULA = /^[\s\p{Cc}"']*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u;

/**
 * One line of CSV (RFC 4180). Each cell is quoted, because a spreadsheet may split at semicolons. A cell that could be a
 * formula gets an apostrophe in front.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
