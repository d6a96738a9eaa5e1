/** Formats of lists that other publishers use; `formats/list-formats.ts` reads them. */
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

/** The content of a file of each format, for messages. */
export const formatContents = {
  "ofac-xml": "SDN_ADVANCED.XML or SDN.XML of OFAC",
  "ofac-csv": "SDN.CSV of OFAC, 12 columns without a header",
  opensanctions: "entities.ftm.json or targets.nested.json of OpenSanctions, an entity in JSON a line",
  "address-list": "one address a line with a name behind it, or a JSON array of addresses",
  "explorer-labels": "JSON by address, with a name or {name, labels} for each",
  "cex-table": "CSV with the columns blockchain, address and cex_name",
  "token-list": "a token list in JSON by the Uniswap schema",
  csv: "CSV with the columns chain, address, name and kind",
} as const satisfies Record<LabelFormat, string>;

/** The possible contents of a file without `--format`, for messages. */
export const anyContents =
  "a published list, such as SDN_ADVANCED.XML of OFAC, entities.ftm.json of OpenSanctions, or one address a line";
