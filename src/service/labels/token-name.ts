import { CONFUSABLES } from "./confusables.generated.ts";

/**
 * Maps a token's name or symbol to a form in which confusable names are equal. It is the skeleton of UTS #39 (Unicode
 * Security Mechanisms, section 4) after NFKC and case folding. The form is for comparing only, never for showing: "m"
 * becomes "rn", "w" becomes "vv", and "I", "1", "|" and "l" become "i".
 *
 * One round consists of these steps:
 *
 * - decompose (NFKD, which is NFKC followed by the skeleton's own NFD);
 * - remove invisible characters;
 * - replace each character by its prototype;
 * - change to lower case;
 * - decompose again;
 * - collapse white space, and trim it at the ends.
 *
 * Lower case may reveal a further prototype ("M" becomes "m", drawn as "rn"), so rounds repeat until one changes
 * nothing. The function is therefore idempotent.
 *
 * Prototypes come before lower case, because the shape of a letter depends on its case. Cyrillic U+0422 is drawn as T,
 * but its small letter U+0442 only as a small capital T. Greek capital upsilon is drawn as Y, but its small letter as
 * u.
 *
 * Names that are confusable by UTS #39 in NFKC have one skeleton, and so have names that differ in ASCII case. The
 * reverse holds with the exceptions below.
 *
 * Wider than UTS #39 in five ways, because symbols are compared in any case and decoration:
 *
 * - Latin small capitals equal their letters, as do the small Cyrillic letters that look alike.
 * - Overlaid strokes are removed. Tether writes its own USD₮ with U+20AE, which is T with a stroke to UTS #39.
 * - "i" equals "l", because its capital is drawn as l.
 * - "w" equals "vv", as "m" equals "rn" in UTS #39.
 * - Any white space of any length is equal, and white space at the ends is removed.
 *
 * Not wider: other diacritics stay, and digits other than 0 and 1 do not equal letters (5 for S). `tokenNameCores` goes
 * further, for the best-known tokens.
 */
export function tokenNameSkeleton(text: string): string {
  return isAscii.test(text) ? asciiSkeleton(text) : skeletonOf(text);
}

function skeletonOf(text: string): string {
  let skeleton = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = foldOnce(skeleton);
    if (next === skeleton) break;
    skeleton = next;
  }
  return skeleton;
}

/** All of ASCII, controls included. */
const isAscii = /^[\0-\x7f]*$/;

/** A fast path for ASCII text, forty times as fast. In ASCII, each character maps independently. */
function asciiSkeleton(text: string): string {
  let folded = "";
  for (let i = 0; i < text.length; i++) folded += asciiFolds()[text.charCodeAt(i)] ?? "";
  return folded.includes("  ") || folded.startsWith(" ") || folded.endsWith(" ")
    ? folded.replace(/ +/g, " ").trim()
    : folded;
}

let folds: readonly string[] | undefined;

/** Each character is folded between two letters that do not change, so that a space is not trimmed. */
function asciiFolds(): readonly string[] {
  folds ??= Array.from({ length: 128 }, (_, code) => skeletonOf(`a${String.fromCharCode(code)}a`).slice(1, -1));
  return folds;
}

/**
 * A bound against a cycle in future data. The present table settles within four rounds (measured over every code
 * point).
 */
const MAX_ROUNDS = 8;

/**
 * Default-ignorable code points (zero-width, bidi controls, variation selectors, fillers), controls, and overlaid
 * strokes.
 */
const notDrawn =
  /\p{Default_Ignorable_Code_Point}|\p{Cc}|[\u{334}-\u{338}]|\u{20d2}|\u{20d3}|[\u{20d8}-\u{20da}]|\u{20e5}|\u{20e6}|\u{20ea}|\u{20eb}/gu;

/** Tabs and line breaks are controls, but pages and terminals draw a space for them. */
const whiteSpace = /\p{White_Space}/gu;

/** The lunate sigma is drawn as C. NFKC replaces it by an ordinary sigma. */
const lunateSigma = /[\u{3f2}\u{3f9}]/gu;

function foldOnce(text: string): string {
  const drawn = text.replace(lunateSigma, "c").normalize("NFKD").replace(whiteSpace, " ").replace(notDrawn, "");
  let folded = "";
  for (const character of drawn) folded += lowerCase(prototypeByCharacter.get(character) ?? character);
  // Some prototypes are spaces. An example is the prototype of the empty Braille pattern.
  return folded.normalize("NFD").replace(/ +/g, " ").trim();
}

/**
 * Lower case is applied per character. In a whole text, it would turn a sigma at the end of a word into another letter.
 */
function lowerCase(prototype: string): string {
  let lower = "";
  for (const character of prototype) {
    const small = character.toLowerCase();
    lower += foldedByPrototype.get(small) ?? small;
  }
  return lower;
}

/**
 * Prototypes that UTS #39 keeps apart from the letters that a symbol means: small capitals, l for capital I, and w for
 * two v.
 */
const foldedByPrototype: ReadonlyMap<string, string> = new Map([
  ["\u1d00", "a"],
  ["\u0299", "b"],
  ["\u1d05", "d"],
  ["\u1d07", "e"],
  ["\ua730", "f"],
  ["\u0262", "g"],
  ["\u029c", "h"],
  ["l", "i"],
  ["\u1d0a", "j"],
  ["\u0138", "k"], // kra, the prototype of small capital K
  ["\u029f", "i"], // small capital L
  ["\u028d", "rn"], // turned w, the prototype of small capital M
  ["\u0274", "n"],
  ["\u1d18", "p"],
  ["\ua7af", "q"],
  ["\u0280", "r"],
  ["\u1d1b", "t"],
  ["w", "vv"], // UTS #39 has "m" drawn as "rn", but no such row for "w". VVETH is still read as WETH.
]);

const prototypeByCharacter: ReadonlyMap<string, string> = readTable(CONFUSABLES);

/** Reads the format that confusables.generated.ts describes. */
function readTable(table: string): Map<string, string> {
  const prototypes = new Map<string, string>();
  for (const word of table.replaceAll("\n", "").split(";")) {
    const [to = "", from = ""] = word.split(":");
    const prototype = String.fromCodePoint(...to.split("+").map((digits) => Number.parseInt(digits, 36)));
    let codePoint = 0;
    for (const step of from.split(",")) {
      codePoint += Number.parseInt(step, 36);
      prototypes.set(String.fromCodePoint(codePoint), prototype);
    }
  }
  return prototypes;
}
