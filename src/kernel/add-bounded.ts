/** Bounds of the cache. Chosen: a file has tens of field names, and a producer must not fill the memory. */
const MAX_TEXTS = 1_000;
const MAX_CHARACTERS = 100;

/**
 * Makes a function that caches the results of `compute` for the first short texts. Field names repeat in every record,
 * and to interpret a name takes longer than to read the record.
 *
 * @param compute pure: its result depends on the text alone.
 */
export function addBounded<T>(compute: (text: string) => T): (text: string) => T {
  const kept = new Map<string, { readonly result: T }>();
  return (text) => {
    const found = kept.get(text);
    if (found !== undefined) return found.result;
    const result = compute(text);
    if (kept.size < MAX_TEXTS && text.length <= MAX_CHARACTERS) kept.set(text, { result });
    return result;
  };
}
