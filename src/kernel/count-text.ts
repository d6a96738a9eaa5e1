/** A number with its noun: `1 event`, `2 events`. Only for nouns with a plural in -s. */
export function countText(howMany: number, what: string): string {
  return `${howMany} ${what}${howMany === 1 ? "" : "s"}`;
}
