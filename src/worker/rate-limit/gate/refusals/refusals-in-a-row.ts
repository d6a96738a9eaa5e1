/** Answers between two refusals that count. Chosen: more may come from one burst that a service lets through. */
const MOST_ANSWERS = 10;

/** How often one key was refused in a row. */
export interface InARow {
  /** Refusals with an answer to another before each; all that came without one before count as one. */
  readonly refusals: number;
  /** Whether load hardly explains the row: the key is refused for itself. */
  readonly isOwn: boolean;
}

interface Row {
  refusals: number;
  /** All of them, however close. */
  all: number;
  /** Requests that were answered, and refusals that others had borne by their answers, when the last refusal counted. */
  answers: number;
  borne: number;
  /** Improbability of the row, as a natural logarithm. */
  nats: number;
}

/**
 * Counts refusals of each key in a row, and how improbable they are where a service refuses for load: then it refuses others
 * as often, and answers each in the end. What is refused for itself is never answered.
 *
 * Each refusal with an answer before it makes the row less probable: by the share of the requests of others that were
 * refused meanwhile. Of these only refusals count whose key was answered since, so that several keys which are refused for
 * themselves do not pass for load.
 */
export class RefusalsInARow<Key> {
  readonly #rows = new Map<Key, Row>();
  readonly #remembered: number;
  #borne = 0;

  /** @param remembered keys that are counted at the same time; the one that was refused longest ago is forgotten first. */
  constructor(remembered = Number.POSITIVE_INFINITY) {
    this.#remembered = remembered;
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  /**
   * @param answers requests that were answered so far.
   * @param ownOneIn load hardly explains what it does to fewer than one key in so many.
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

/** Of few requests the share is never 0 or 1. Source: Krichevsky and Trofimov's estimator. */
function refusedShare(refused: number, answered: number): number {
  return (refused + 0.5) / (refused + answered + 1);
}
