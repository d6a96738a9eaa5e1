import { open } from "node:fs/promises";
import type { VerdictBlock } from "../../../archive/reading/newest-first.ts";
import { InputUnreadableError } from "../../../kernel/errors.ts";
import { MAX_VERDICT_BYTES } from "./verdict-log.ts";

const NEWLINE = "\n".charCodeAt(0);
const BLOCK_BYTES = 4 * 1024 * 1024;

/**
 * The lines of a file in blocks, last block first. The file may grow meanwhile: lines behind its end at the start of
 * the read are left out, and so is a last line without a line end.
 *
 * @throws {InputUnreadableError} for a line that is too long for a verdict.
 */
export async function* blocksFromEnd(file: string, blockBytes = BLOCK_BYTES): AsyncGenerator<VerdictBlock> {
  const handle = await open(file, "r");
  try {
    let { size: end } = await handle.stat();
    /** The end of a line whose beginning lies further ahead. */
    let rest = Buffer.alloc(0);
    while (end > 0) {
      const from = Math.max(0, end - blockBytes);
      const bytes = Buffer.allocUnsafe(end - from);
      await handle.read(bytes, 0, bytes.length, from);
      const all = Buffer.concat([bytes, rest]);
      // A block begins behind a line end, or at the beginning of the file.
      const first = from === 0 ? 0 : all.indexOf(NEWLINE) + 1;
      if (first === 0 && from > 0) {
        if (all.length > MAX_VERDICT_BYTES) throw new InputUnreadableError(`${file}: a line is too long for a verdict`);
        rest = all;
      } else {
        rest = all.subarray(0, first);
        yield { name: file, lines: all.subarray(first, all.lastIndexOf(NEWLINE) + 1) };
      }
      end = from;
    }
  } finally {
    await handle.close();
  }
}
