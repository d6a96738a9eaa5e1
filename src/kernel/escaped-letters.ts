/**
 * JSON with its letters, digits and underscores written as they are: what it says is the same. V8 13.6, of Node 24, reads a
 * key that has an escape as another such key that it expects there, if that begins like it: after one that is spelled
 * `\\u0061d` the key `\u0061ddress` is read as `\u0061d`, so an event would lose a field. Keys of ours have no escape
 * then, whoever spells them with one.
 *
 * @throws {SyntaxError} for text that has such an escape and is not JSON.
 */
export function withoutEscapedLetters(text: string): string {
  // Nobody who means well escapes them.
  if (!text.includes("\\u00")) return text;
  // Escapes stand in strings only: without one the rest could become JSON by what follows.
  JSON.parse(text);
  return text.replace(/\\(?:u00([3-7][\da-f])|[\s\S])/gi, (escaped, hex: string | undefined) => {
    const letter = hex === undefined ? "" : String.fromCharCode(Number.parseInt(hex, 16));
    return /^\w$/.test(letter) ? letter : escaped;
  });
}
