/**
 * Finds the item for which a service refuses a request, when the refusal does not name the item.
 *
 * While one bad item explains all refusals, each request carries half of the suspects and all cleared items. An item is
 * cleared when it was in a refused request beside the half that is now suspected. So each request halves the suspects,
 * and only suspects are split. A final refusal costs two more requests: one for the last suspect, and one for the items
 * that it clears. A final answer costs one. The smaller half is therefore sent first, and one of 3 * 2^n items is found
 * in n + 3 requests. No other order does better, if the bad item is refused alone and all other items are answered.
 *
 * If the cleared items are refused together, there is more than one bad item. Each would cost such a search. From then
 * on each refused request is halved, and each half is searched by itself. If the first half is answered, the second
 * half is known to be bad. It is then halved without a request. So k bad items among n cost about 2 k log2(n / k)
 * requests.
 */
export interface BadItemSearch<T> {
  /**
   * Items that are sent next, together with the cleared items. The bad item is among the suspects or the held items.
   * When no items are held, the suspects may hold no bad item.
   */
  readonly suspects: readonly T[];
  readonly cleared: readonly T[];
  /** The other half of the suspects. It waits for the outcome of the first half. */
  readonly held: readonly T[];
  /** Whether one bad item would explain all refusals so far. */
  readonly isForOne: boolean;
}

/** @param refused At least two items that were refused together. */
export function searchAmong<T>(refused: readonly T[]): BadItemSearch<T> {
  return halving(refused, [], true);
}

/**
 * Searches both halves, because repeated failures may be chance. A refusal, in contrast, is never chance. So the second
 * half is sent too, before any of its items is suspected.
 *
 * @param failed At least two items that failed together several times.
 */
export function searchHalves<T>(failed: readonly T[]): readonly BadItemSearch<T>[] {
  const { suspects, held } = halving(failed, [], true);
  return [suspects, held].map((half) => ({ suspects: half, cleared: [], held: [], isForOne: true }));
}

/** @param suspects Items of a refused request. It is not known whether one of the items is bad. */
export function searchOf<T>(suspects: readonly T[]): readonly BadItemSearch<T>[] {
  return suspects.length === 0 ? [] : [{ suspects, cleared: [], held: [], isForOne: false }];
}

/** The next searches after an answered request. The bad item is in the held half. */
export function afterAnswer<T>({ held, isForOne }: BadItemSearch<T>): readonly BadItemSearch<T>[] {
  return held.length > 1 ? [halving(held, [], isForOne)] : searchOf(held);
}

/** The next searches after another refused request. The request held at least two items. */
export function afterRefusal<T>({ suspects, cleared, held, isForOne }: BadItemSearch<T>): readonly BadItemSearch<T>[] {
  const others = [...cleared, ...held];
  if (suspects.length === 1) return [...searchOf(suspects), ...searchOf(others)];
  if (isForOne) return [halving(suspects, others, isForOne)];
  return [halving(suspects, [], isForOne), ...searchOf(held)];
}

/** The next searches after a request that says nothing, or after a request with only the bad item. */
export function afterNothing<T>({ held }: BadItemSearch<T>): readonly BadItemSearch<T>[] {
  return searchOf(held);
}

function halving<T>(suspects: readonly T[], cleared: readonly T[], isForOne: boolean): BadItemSearch<T> {
  const middle = Math.floor(suspects.length / 2);
  return { suspects: suspects.slice(0, middle), cleared, held: suspects.slice(middle), isForOne };
}
