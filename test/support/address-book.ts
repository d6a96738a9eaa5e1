import { atOnce } from "../../src/kernel/async.ts";
import { AddressBook, type ListInfo } from "../../src/labels/address-book.ts";
import { LabelTable } from "../../src/labels/index/label-table.ts";
import type { AddressLabel } from "../../src/labels/label.ts";

export const listInfo: ListInfo = {
  name: "ofac.csv",
  sha256: "5".repeat(64),
  date: "2026-11-20",
  loadedAt: "2026-11-28T08:00:00.000Z",
};

/** A book with one list of an operator. */
export function listedBook(...labels: readonly AddressLabel[]): AddressBook {
  return bookOfLists([{ info: listInfo, labels }]);
}

/** A book of bundled labels. */
export function shippedBook(...labels: readonly AddressLabel[]): AddressBook {
  return bookOfLists([{ info: undefined, labels }]);
}

export function bookOfLists(
  lists: readonly { readonly info: ListInfo | undefined; readonly labels: readonly AddressLabel[] }[],
): AddressBook {
  const read = lists.map(({ info, labels }) => {
    const table = new LabelTable();
    for (const label of labels) table.add(label);
    return { name: info?.name ?? "shipped.csv", info, labels: table, refused: [], unread: [], endsMidLine: false };
  });
  return atOnce(AddressBook.steps(read));
}
