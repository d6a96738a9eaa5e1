import { CONFUSABLES } from "./confusables.generated.ts";

/**
 * A form of a token's name or symbol in which names that a reader would take for one another are the same text:
 * the skeleton of UTS #39 (Unicode Security Mechanisms, section 4) after NFKC and case folding. For comparing only, never for
 * showing: "m" becomes "rn", "w" becomes "vv", and "I", "1", "|" and "l" become "i".
 *
 * One round: decompose (NFKD, which is NFKC followed by the skeleton's own NFD), drop what is not drawn, put each
 * character's prototype in its place, lower the case, decompose again, make one space of a run and none of one at an
 * end. Lowering may uncover a further prototype
 * ("M" becomes "m", drawn as "rn"), so rounds go on until one changes nothing; that also makes the function idempotent.
 *
 * Prototypes come before lower case, because what a letter looks like depends on its case: Cyrillic U+0422 is drawn
 * as T, its small letter U+0442 only as a small capital T; Greek capital upsilon as Y, its small letter as u.
 * So two names that are confusable by UTS #39 once they are in NFKC have one skeleton here, and so have two that differ
 * in ASCII case. The reverse holds but for what follows.
 *
 * Wider than UTS #39 in five ways, each because symbols are compared whatever their case and decoration:
 * Latin small capitals are their letters (and with them the small Cyrillic letters drawn alike); overlaid strokes are dropped
 * (U+20AE, as Tether writes its own USD₮, is T with a stroke to UTS #39); "i" joins "l", because its capital is drawn as l; "w" is "vv", as "m" is "rn" there;
 * white space is drawn alike whatever and however much it is, and at an end not at all.
 * Not wider: other diacritics stay, and a digit for a letter (5 for S) is no confusable beyond 0 and 1;
 * `tokenNameCores` goes further, for the few best known.
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

/** The same for text that is ASCII, forty times as fast: there each character is read by itself. */
function asciiSkeleton(text: string): string {
  let folded = "";
  for (let i = 0; i < text.length; i++) folded += asciiFolds()[text.charCodeAt(i)] ?? "";
  return folded.includes("  ") || folded.startsWith(" ") || folded.endsWith(" ")
    ? folded.replace(/ +/g, " ").trim()
    : folded;
}

let folds: readonly string[] | undefined;

/** Each between two letters that stay as they are, which keeps a space from being an end. */
function asciiFolds(): readonly string[] {
  folds ??= Array.from({ length: 128 }, (_, code) => skeletonOf(`a${String.fromCharCode(code)}a`).slice(1, -1));
  return folds;
}

/** A bound against a cycle in future data; the present table settles within four rounds (measured over every code point). */
const MAX_ROUNDS = 8;

/** Default-ignorable code points (zero-width, bidi controls, variation selectors, fillers), controls, and overlaid strokes. */
const notDrawn =
  /\p{Default_Ignorable_Code_Point}|\p{Cc}|[\u{334}-\u{338}]|\u{20d2}|\u{20d3}|[\u{20d8}-\u{20da}]|\u{20e5}|\u{20e6}|\u{20ea}|\u{20eb}/gu;

/** Tabs and line breaks are controls, but pages and terminals draw a space for them. */
const whiteSpace = /\p{White_Space}/gu;

/** Drawn as C, which NFKC would forget: to it they are the sigma that they stand for. */
const lunateSigma = /[\u{3f2}\u{3f9}]/gu;

function foldOnce(text: string): string {
  const drawn = text.replace(lunateSigma, "c").normalize("NFKD").replace(whiteSpace, " ").replace(notDrawn, "");
  let folded = "";
  for (const character of drawn) folded += lowerCase(prototypeByCharacter.get(character) ?? character);
  // Some prototypes are spaces themselves: the empty Braille pattern's is.
  return folded.normalize("NFD").replace(/ +/g, " ").trim();
}

/** Character by character: the lower case of a whole text turns a sigma at the end of a word into another letter. */
function lowerCase(prototype: string): string {
  let lower = "";
  for (const character of prototype) {
    const small = character.toLowerCase();
    lower += foldedByPrototype.get(small) ?? small;
  }
  return lower;
}

/** Prototypes that UTS #39 keeps apart from what a symbol means: small capitals, l for capital I, and w for two v. */
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
  ["w", "vv"], // UTS #39 has "m" drawn as "rn", but no such row for "w"; VVETH is read as WETH all the same
]);

const prototypeByCharacter: ReadonlyMap<string, string> = readTable(CONFUSABLES);

/** Reads the form that confusables.generated.ts describes. */
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
