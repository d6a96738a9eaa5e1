import type { LabelFormat } from "../label-format.ts";
import { ofacCsv } from "../sanctions/ofac-csv.ts";
import { ofacXml } from "../sanctions/ofac-xml.ts";
import { openSanctions } from "../sanctions/open-sanctions.ts";
import { addressList } from "./address-list.ts";
import { cexTable } from "./cex-table.ts";
import { explorerLabels } from "./explorer-labels.ts";
import { labelCsv } from "./label-csv.ts";
import type { ListReader } from "./list-source.ts";
import { tokenList } from "./token-list.ts";

/** The reader of each format. */
export const listFormats = {
  "ofac-xml": ofacXml,
  "ofac-csv": ofacCsv,
  opensanctions: openSanctions,
  "address-list": addressList,
  "explorer-labels": explorerLabels,
  "cex-table": cexTable,
  "token-list": tokenList,
  csv: labelCsv,
} as const satisfies Record<LabelFormat, ListReader>;
