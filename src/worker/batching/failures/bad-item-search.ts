/**
 * Where to find what makes a service refuse a request, when it does not say.
 *
 * As long as one item may be all there is to blame, half of the suspects are sent with all who are cleared by that:
 * whoever was in a refused request beside the half that is now suspected. So each request halves the suspects, and nobody
 * is sent in halves who is not one of them. A last refusal costs two requests, one for whom it is left to and one for who
 * is cleared by it, and a last answer only one: so the smaller half goes first, and one of 3 * 2^n is found by n + 3
 * requests at most. No order of questions does better, as long as whoever is to blame is refused alone and everybody else
 * is answered.
 *
 * Once those who were cleared are refused together, more are to blame, and each of them would cost such a search. From
 * then on what is refused is halved, and each half is searched for itself: where the first is answered, the other is known
 * to be refused, and is halved unasked. So k of n cost about 2 k log2(n / k) requests.
 */
export interface BadItemSearch<T> {
  /** Asked now, with the cleared ones: among them, or among the held ones, is the bad item. Where none is held, perhaps. */
  readonly suspects: readonly T[];
  readonly cleared: readonly T[];
  /** The other half of the suspects, which waits for what becomes of this one. */
  readonly held: readonly T[];
  /** Whether one bad item would explain all refusals so far. */
  readonly isForOne: boolean;
}

/** These, two at least, were refused together. */
export function searchAmong<T>(refused: readonly T[]): BadItemSearch<T> {
  return halving(refused, [], true);
}

/**
 * These, two at least, failed together time and again. That may have been by chance, which a refusal never is: so the
 * second half is asked, too, before anybody in it is suspected.
 */
export function searchHalves<T>(failed: readonly T[]): readonly BadItemSearch<T>[] {
  const { suspects, held } = halving(failed, [], true);
  return [suspects, held].map((half) => ({ suspects: half, cleared: [], held: [], isForOne: true }));
}

/** These were in a refused request; whether they are to blame is not known. */
export function searchOf<T>(suspects: readonly T[]): readonly BadItemSearch<T>[] {
  return suspects.length === 0 ? [] : [{ suspects, cleared: [], held: [], isForOne: false }];
}

/** What is to be asked next, when the request was answered: what is bad was held. */
export function afterAnswer<T>({ held, isForOne }: BadItemSearch<T>): readonly BadItemSearch<T>[] {
  return held.length > 1 ? [halving(held, [], isForOne)] : searchOf(held);
}

/** What is to be asked next, when the request was refused as well; it held two at least. */
export function afterRefusal<T>({ suspects, cleared, held, isForOne }: BadItemSearch<T>): readonly BadItemSearch<T>[] {
  const others = [...cleared, ...held];
  if (suspects.length === 1) return [...searchOf(suspects), ...searchOf(others)];
  if (isForOne) return [halving(suspects, others, isForOne)];
  return [halving(suspects, [], isForOne), ...searchOf(held)];
}

/** What is to be asked next, when nothing is to be concluded from the request, or when its only item was to blame. */
export function afterNothing<T>({ held }: BadItemSearch<T>): readonly BadItemSearch<T>[] {
  return searchOf(held);
}

function halving<T>(suspects: readonly T[], cleared: readonly T[], isForOne: boolean): BadItemSearch<T> {
  const middle = Math.floor(suspects.length / 2);
  return { suspects: suspects.slice(0, middle), cleared, held: suspects.slice(middle), isForOne };
}
