/** Formats in which others publish addresses; `label-formats.ts` reads them. */
export const labelFormatNames = ["explorer-labels", "cex-table", "address-list", "token-list", "csv"] as const;
export type LabelFormat = (typeof labelFormatNames)[number];
