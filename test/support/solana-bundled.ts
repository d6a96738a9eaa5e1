import { LabelFiles } from "../../src/adapters/files/labels/label-files.ts";
import { bundled } from "../../src/cli/program/package-root.ts";
import { readLabelList } from "../../src/labels/label-list.ts";
import { LabelBook } from "../../src/service/labels/label-book.ts";
import { listed } from "../fixtures/solana/everyday/world.ts";

/** The labels that ship, and one accused wallet. */
export async function bundledBook(): Promise<LabelBook> {
  const lists = await new LabelFiles(bundled.labels, bundled.labels).load();
  const accused = { chain: "solana", address: listed, kind: "malicious", name: "drainer" };
  return LabelBook.of([...lists, readLabelList("test", [{ line: 2, row: accused }])]);
}
