/**
 * Where to find what makes a service refuse a request, when it does not say. As long as one item is to blame, half of the
 * suspects are sent with all who are cleared by that: whoever was in a refused request beside the half that is now
 * suspected. So each request halves the suspects, and nobody is sent in halves who is not one of them. Where more are to
 * blame, those who seemed cleared are refused together, and are searched in turn.
 *
 * A last refusal costs two requests, one for whom it is left to and one for who is cleared by it, and a last answer only
 * one: so the smaller half goes first, and one of 3 * 2^n is found by n + 3 requests at most. No order of questions does
 * better, as long as whoever is to blame is refused alone and everybody else is answered.
 */
export interface Search<T> {
  /** Asked now, with the cleared ones: among them, or among the held ones, is the bad item. */
  readonly suspects: readonly T[];
  readonly cleared: readonly T[];
  /** The other half of the suspects, which waits for what becomes of this one. */
  readonly held: readonly T[];
}

/** What is to be sent next: as a search goes on, and for itself. */
export interface Step<T> {
  readonly next: Search<T> | undefined;
  readonly apart: readonly (readonly T[])[];
}

/** One of these, two at least, makes a service refuse all of them. */
export function searchAmong<T>(suspects: readonly T[], cleared: readonly T[] = []): Search<T> {
  const middle = Math.floor(suspects.length / 2);
  return { suspects: suspects.slice(0, middle), cleared, held: suspects.slice(middle) };
}

/** The request was answered: what is bad was held. */
export function afterAnswer<T>({ held }: Search<T>): Step<T> {
  if (held.length > 1) return { next: searchAmong(held), apart: [] };
  return { next: undefined, apart: held.length === 0 ? [] : [held] };
}

/** The request was refused, as well. */
export function afterRefusal<T>({ suspects, cleared, held }: Search<T>): Step<T> {
  const others = [...cleared, ...held];
  if (suspects.length > 1) return { next: searchAmong(suspects, others), apart: [] };
  return { next: undefined, apart: others.length === 0 ? [suspects] : [suspects, others] };
}
