import { writeFile } from "node:fs/promises";
import path from "node:path";
import { toError } from "../../../kernel/errors.ts";
import type { AddressBook } from "../../../labels/address-book.ts";
import { listSetOf } from "../../../labels/list-set.ts";
import { makeDirectory } from "./make-directory.ts";

/** Writes the book's set of lists below `archive`, unless it exists already. */
export async function writeListSet(archive: string, book: AddressBook): Promise<void> {
  const set = listSetOf(book);
  if (set === undefined) return;
  const file = path.join(archive, set.key);
  await makeDirectory(path.dirname(file));
  try {
    await writeFile(file, set.json, { flag: "wx" });
  } catch (thrown) {
    const error = toError(thrown) as NodeJS.ErrnoException;
    if (error.code !== "EEXIST") throw error;
  }
}
