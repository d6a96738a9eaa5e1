/**
 * Replaces escapes of letters, digits and underscores in JSON by the characters. The value stays the same.
 * V8 13.6 (Node 24) misreads an escaped key when it expects a key with the same beginning. After a key spelled
 * `\\u0061d`, the key `\u0061ddress` is read as `\u0061d`, so an event would lose a field. Keys of Weir then contain no
 * escape, however the producer spells them.
 *
 * @throws {SyntaxError} for text that has such an escape and is not JSON.
 */
export function withoutEscapedLetters(text: string): string {
  // No well-meaning producer escapes letters.
  if (!text.includes("\\u00")) return text;
  // Escapes occur in strings only. This check refuses text that would become JSON only by the replacement.
  JSON.parse(text);
  return text.replace(/\\(?:u00([3-7][\da-f])|[\s\S])/gi, (escaped, hex: string | undefined) => {
    const letter = hex === undefined ? "" : String.fromCharCode(Number.parseInt(hex, 16));
    return /^\w$/.test(letter) ? letter : escaped;
  });
}
