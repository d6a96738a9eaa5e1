/** Highest number of answers that count between two refusals. Chosen: a burst that a service accepts may bring more. */
const MOST_ANSWERS = 10;

/** How often one key was refused in a row. */
export interface InARow {
  /** Refusals with an answer to another key before each. All refusals before the first such answer count as one. */
  readonly refusals: number;
  /** Whether load hardly explains the row: the key itself is refused. */
  readonly isOwn: boolean;
}

interface Row {
  refusals: number;
  /** Every refusal of the row, even without an answer in between. */
  all: number;
  /**
   * `answers` and `borne` are the totals at the last refusal that counted: answered requests, and refusals of keys that
   * were answered later.
   */
  answers: number;
  borne: number;
  /** Improbability of the row, as a natural logarithm. */
  nats: number;
}

/**
 * Counts refusals of each key in a row, and how improbable the row is under load. Under load a service refuses other
 * keys as often, and answers each key in the end. A key that is refused for its content is never answered.
 *
 * Each refusal with an answer before it makes the row less probable. The factor is the share of other keys' requests
 * that were refused meanwhile. Only refusals of keys that were answered later count for that share. Otherwise several
 * keys that are refused for their content would look like load.
 */
export class RefusalsInARow<Key> {
  readonly #rows = new Map<Key, Row>();
  readonly #remembered: number;
  #borne = 0;

  /**
   * @param remembered number of keys that are counted at the same time. The key that was refused longest ago is dropped
   *   first.
   */
  constructor(remembered = Number.POSITIVE_INFINITY) {
    this.#remembered = remembered;
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  /**
   * @param answers requests that were answered so far.
   * @param ownOneIn the key itself is at fault when load explains the row in less than one key in this many.
   * @returns the row of the key, this refusal included.
   */
  refused(key: Key, answers: number, ownOneIn: number): InARow {
    const row = this.#rows.get(key) ?? { refusals: 1, all: 0, answers, borne: this.#borne, nats: 0 };
    row.all++;
    const answered = answers - row.answers;
    if (answered > 0) {
      row.refusals++;
      row.nats -= Math.log(refusedShare(this.#borne - row.borne, Math.min(MOST_ANSWERS, answered)));
      row.answers = answers;
      row.borne = this.#borne;
    }
    this.#rows.delete(key);
    this.#rows.set(key, row);
    const [oldest] = this.#rows.keys();
    if (this.#rows.size > this.#remembered && oldest !== undefined) this.#rows.delete(oldest);
    return { refusals: row.refusals, isOwn: row.nats > Math.log(ownOneIn) };
  }

  /** One request about these keys was answered. */
  answered(keys: Iterable<Key>): void {
    let most = 0;
    for (const key of keys) {
      most = Math.max(most, this.#rows.get(key)?.all ?? 0);
      this.#rows.delete(key);
    }
    this.#borne += most;
  }
}

/** With few requests the share is never 0 or 1. Source: Krichevsky and Trofimov's estimator. */
function refusedShare(refused: number, answered: number): number {
  return (refused + 0.5) / (refused + answered + 1);
}
