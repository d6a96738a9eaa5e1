/**
 * A copy of the text in its own memory. A slice of a longer text keeps the whole longer text in memory (V8's sliced
 * strings). A few words would then keep a whole file in memory.
 */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}
