import { findChain } from "../../src/chains/registry.ts";
import { LabelTable } from "../../src/labels/index/label-table.ts";
import type { AddressKind, AddressLabel, Label } from "../../src/labels/label.ts";
import type { LabelList } from "../../src/labels/label-list.ts";
import { LabelBook } from "../../src/service/labels/label-book.ts";

/** A label with an unparsed address; `chain` must be a known chain. */
export function labelOf(chain: string, address: string, kind: AddressKind, name = address): AddressLabel {
  const known = findChain(chain);
  if (known === undefined) throw new Error(`unknown chain ${chain}`);
  return { kind, chain: known, address: address as AddressLabel["address"], name };
}

export function tableOf(labels: readonly Label[]): LabelTable {
  const table = new LabelTable();
  for (const label of labels) table.add(label);
  return table;
}

export function listOf(labels: readonly AddressLabel[]): LabelList {
  return { name: "list", labels: tableOf(labels), refused: [], unread: [], endsMidLine: false };
}

export function bookOf(...labels: readonly AddressLabel[]): LabelBook {
  return LabelBook.of([listOf(labels)]);
}

/** Whether a label accuses an EVM address. */
export function isAccused(book: LabelBook, address: AddressLabel["address"]): boolean {
  const ethereum = findChain("1");
  if (ethereum === undefined) throw new Error("no chain 1");
  return book.standingOf(ethereum, address).accusations.length > 0;
}
