/** Formats in which others publish addresses; `lists/list-formats.ts` reads them. */
export const labelFormatNames = [
  "ofac-xml",
  "ofac-csv",
  "opensanctions",
  "address-list",
  "explorer-labels",
  "cex-table",
  "token-list",
  "csv",
] as const;
export type LabelFormat = (typeof labelFormatNames)[number];
