/** A number with its noun: `1 event`, `2 events`. Only for nouns with a plural in -s. */
export function countText(howMany: number, what: string): string {
  return `${howMany} ${what}${howMany === 1 ? "" : "s"}`;
}

const steering = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Makes untrusted text safe for one line of a terminal or a log (CWE-150). Controls, format characters, line and
 * paragraph separators and unpaired surrogates are replaced by U+FFFD. Such characters control the display or reverse a
 * line.
 */
export function singleLine(text: string): string {
  return text.replace(steering, "\uFFFD");
}

/**
 * A copy of the text in its own memory. A slice of a longer text keeps the whole longer text in memory (V8's sliced
 * strings). A few words would then keep a whole file in memory.
 */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}

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

/** A name as one word of a shell. */
export function quotedName(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
