import { readFile } from "node:fs/promises";
import path from "node:path";
import { listFormats } from "../../src/adapters/files/labels/formats/list-formats.ts";
import type { ListSource, Unsaid } from "../../src/adapters/files/labels/formats/list-source.ts";
import type { LabelFormat } from "../../src/adapters/files/labels/label-format.ts";
import { labelRow } from "../../src/cli/labels/label-report.ts";
import { ImportTally } from "../../src/labels/import/import-tally.ts";
import type { ListEntry } from "../../src/labels/import/list-entry.ts";

/** A list in memory that is delivered in pieces of `pieceLength` characters. */
export function textSource(text: string, pieceLength = 7, isRepeatable = true): ListSource {
  return {
    isRepeatable,
    head: () => Promise.resolve(text.slice(0, 65_536)),
    async *pieces() {
      for (let at = 0; at < text.length; at += pieceLength) yield text.slice(at, at + pieceLength);
    },
  };
}

/** A file of test/fixtures/lists. */
export function sample(name: string): Promise<string> {
  return readFile(path.join(import.meta.dirname, "../fixtures/lists", name), "utf8");
}

/** All entries of a text in a format. */
export async function entriesIn(format: LabelFormat, text: string, unsaid: Unsaid = {}): Promise<readonly ListEntry[]> {
  return Array.fromAsync(listFormats[format](textSource(text), unsaid));
}

/** The lines of the label file for a text in a format, and the counts. */
export async function imported(format: LabelFormat, text: string, unsaid: Unsaid = {}) {
  const tally = new ImportTally();
  const lines: string[] = [];
  for (const entry of await entriesIn(format, text, unsaid)) {
    const label = tally.take(entry);
    if (label !== undefined) lines.push(labelRow(label).trimEnd());
  }
  const refused = tally.reasons.map(({ detail, lines }) => `${lines.join(",")}: ${detail}`);
  return { lines, refused, unscreened: Object.fromEntries(tally.byUnscreened), tally };
}
