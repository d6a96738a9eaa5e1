import { ConfigInvalidError } from "../../../kernel/errors.ts";
import type { Letter } from "./replay-ticket.ts";

type Known = Pick<Letter, "verdictId" | "revision">;

/** Verdicts that are remembered at once. A million take 78 MB (measured, Node 24). */
export const MAX_LETTERS = 4_000_000;

/** Stands in the place of a revision once its letter was taken. */
const TAKEN = -1;

/**
 * Which letter of each verdict is the newest. Read twice: first every letter is seen, then each is offered, and of those
 * on one verdict the first that has the highest revision is taken. Only ids and revisions are held, and only of verdicts
 * on which some letter was wanted.
 */
export class NewestLetters {
  readonly #revisions = new Map<string, number>();
  readonly #max: number;

  constructor(max = MAX_LETTERS) {
    this.#max = max;
  }

  /** @throws {ConfigInvalidError} when there are too many. */
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

  /** Whether this letter is the one; of copies only the first is. */
  take({ verdictId, revision }: Known): boolean {
    const id = packed(verdictId);
    if (this.#revisions.get(id) !== revision) return false;
    this.#revisions.set(id, TAKEN);
    return true;
  }
}

/** Half as long as the hex digits of a hash are. */
function packed(verdictId: string): string {
  return Buffer.from(verdictId, "hex").toString("latin1");
}
