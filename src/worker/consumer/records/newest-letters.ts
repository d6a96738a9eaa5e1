import { ConfigInvalidError } from "../../../kernel/errors.ts";
import type { Letter } from "./replay-ticket.ts";

type Known = Pick<Letter, "verdictId" | "revision">;

/** Verdicts that are remembered at once. A million take 78 MB (measured, Node 24). */
export const MAX_LETTERS = 4_000_000;

/** Replaces a revision once its dead letter was taken. */
const TAKEN = -1;

/**
 * Finds the newest dead letter of each verdict. The letters are read twice. In the first pass every letter is seen. In
 * the second pass each letter is offered. The first one with the highest revision of its verdict is taken. Only ids and
 * revisions are held, and only for verdicts with at least one wanted letter.
 */
export class NewestLetters {
  readonly #revisions = new Map<string, number>();
  readonly #max: number;

  constructor(max = MAX_LETTERS) {
    this.#max = max;
  }

  /** @throws {ConfigInvalidError} when there are too many verdicts. */
  see({ verdictId, revision }: Known, isWanted: boolean): void {
    const id = packed(verdictId);
    const known = this.#revisions.get(id);
    if (known === undefined && !isWanted) return;
    if (known === undefined && this.#revisions.size >= this.#max) {
      throw new ConfigInvalidError(
        `more than ${this.#max} verdicts at once: take a part of them by --reason, --since, --until or --tenant`,
      );
    }
    this.#revisions.set(id, Math.max(known ?? 0, revision));
  }

  /** Whether this dead letter is the newest of its verdict. Of several copies, only the first is taken. */
  take({ verdictId, revision }: Known): boolean {
    const id = packed(verdictId);
    if (this.#revisions.get(id) !== revision) return false;
    this.#revisions.set(id, TAKEN);
    return true;
  }
}

/** Half as long as the hex digits of the hash. */
function packed(verdictId: string): string {
  return Buffer.from(verdictId, "hex").toString("latin1");
}
