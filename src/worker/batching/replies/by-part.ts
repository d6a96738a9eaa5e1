import type { ByQuestion } from "../../answers/answer-cache.ts";
import { type BatchEntry, isSame, textOf } from "../batch-entry.ts";

/** A value with the batch entry that it belongs to. */
interface OfPart {
  readonly question: BatchEntry;
}

/**
 * One value per batch entry, keyed by the target, because most targets have one entry. To build the text of an entry
 * takes longer than to look it up. Only entries with the same target are keyed by their text.
 */
export class ByPart<K extends OfPart> implements ByQuestion<BatchEntry, K> {
  readonly #byTarget = new Map<string, K | Map<string, K>>();

  get(part: BatchEntry): K | undefined {
    const found = this.#byTarget.get(part.target);
    if (found instanceof Map) return found.get(textOf(part));
    return found !== undefined && isSame(found.question, part) ? found : undefined;
  }

  set(part: BatchEntry, known: K): void {
    const found = this.#byTarget.get(part.target);
    if (found instanceof Map) found.set(textOf(part), known);
    else if (found === undefined || isSame(found.question, part)) this.#byTarget.set(part.target, known);
    else this.#byTarget.set(part.target, new Map([found, known].map((each) => [textOf(each.question), each])));
  }

  delete(part: BatchEntry): void {
    const found = this.#byTarget.get(part.target);
    if (found === undefined) return;
    if (found instanceof Map) {
      found.delete(textOf(part));
      if (found.size > 0) return;
    } else if (!isSame(found.question, part)) return;
    this.#byTarget.delete(part.target);
  }

  lengthOf({ target, token, users }: BatchEntry): number {
    return users.reduce((sum, user) => sum + user.length, target.length + (token?.length ?? 0));
  }
}
