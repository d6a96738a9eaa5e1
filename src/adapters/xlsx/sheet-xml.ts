/** Source: ECMA-376, Office Open XML, part 1, SpreadsheetML. */
const NAMESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const PROLOG = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** Longest text of a cell, by Excel's limits. */
const MOST_CHARACTERS = 32_767;

/** The beginning of a sheet: its first row stays in view. */
export const SHEET_START = `${PROLOG}<worksheet xmlns="${NAMESPACE}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`;

/** The end of a sheet. @param columns number of columns that its filter covers. */
export function sheetEnd(columns: number, rows: number): string {
  const filter = columns === 0 ? "" : `<autoFilter ref="A1:${columnName(columns)}${Math.max(1, rows)}"/>`;
  return `</sheetData>${filter}</worksheet>`;
}

export type Cell = string | number;

/**
 * One row, by its number from 1. A text is a string by its type, so a spreadsheet never takes it for a formula. Empty
 * cells are left out.
 */
export function rowXml(row: number, cells: readonly Cell[]): string {
  const style = row === 1 ? ' s="1"' : "";
  const parts = cells.map((cell, i) => {
    if (cell === "") return "";
    const name = `r="${columnName(i + 1)}${row}"${style}`;
    return typeof cell === "number"
      ? `<c ${name}><v>${cell}</v></c>`
      : `<c ${name} t="inlineStr"><is><t xml:space="preserve">${xmlText(cell)}</t></is></c>`;
  });
  return `<row r="${row}">${parts.join("")}</row>`;
}

/** Characters that XML 1.0 forbids, and unpaired surrogates. */
const forbidden = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\uFFFE\uFFFF]/gu;
const signs: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text that needs no escape, as nearly all cells hold. */
const PLAIN = /^[A-Za-z0-9 .,:;()/'-]*$/;

/** Text of a cell. Excel reads `_x0041_` as an escape, so its underscore is escaped itself. */
export function xmlText(text: string): string {
  if (text.length <= MOST_CHARACTERS && PLAIN.test(text)) return text;
  return text
    .slice(0, MOST_CHARACTERS)
    .replace(forbidden, "\uFFFD")
    .replace(/_(?=x[\dA-Fa-f]{4}_)/g, "_x005F_")
    .replace(/[&<>"]/g, (sign) => signs[sign] ?? sign);
}

/** The name of a column by its number from 1: A, Z, AA. */
function columnName(column: number): string {
  const rest = Math.floor((column - 1) / 26);
  const letter = String.fromCharCode(65 + ((column - 1) % 26));
  return rest === 0 ? letter : columnName(rest) + letter;
}

/** The fixed files of a workbook, for sheets with these names. */
export function workbookFiles(names: readonly string[]): Readonly<Record<string, string>> {
  const relations = "http://schemas.openxmlformats.org/package/2006/relationships";
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const content = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const each = (write: (number: number, name: string) => string) => names.map((name, i) => write(i + 1, name)).join("");
  return {
    "[Content_Types].xml": `${PROLOG}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${content}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${content}.styles+xml"/>${each((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${content}.worksheet+xml"/>`)}</Types>`,
    "_rels/.rels": `${PROLOG}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `${PROLOG}<workbook xmlns="${NAMESPACE}" xmlns:r="${office}"><sheets>${each((n, name) => `<sheet name="${xmlText(name)}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${PROLOG}<Relationships xmlns="${relations}">${each((n) => `<Relationship Id="rId${n}" Type="${office}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}<Relationship Id="rId${names.length + 1}" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    "xl/styles.xml": `${PROLOG}<styleSheet xmlns="${NAMESPACE}"><fonts count="2"><font/><font><b/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf fontId="0"/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
  };
}
