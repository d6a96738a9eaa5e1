/**
 * The same text in memory of its own. What is cut from a longer text keeps all of that one in memory (V8's sliced
 * strings), so that a few words would hold the file that they stood in.
 */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}
