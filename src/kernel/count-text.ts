/** So many of something, in words: `1 event`, `2 events`. Of those whose plural is theirs and an s. */
export function countText(howMany: number, what: string): string {
  return `${howMany} ${what}${howMany === 1 ? "" : "s"}`;
}
