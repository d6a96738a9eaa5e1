import { tokenNameSkeleton } from "../../labels/token-name.ts";

/** Names of what is no TRC-10: the native coin, and dollar tokens that are contracts. */
const wellKnownNames = [
  "TRX",
  "TRON",
  "Tronix",
  "USDT",
  "Tether",
  "Tether USD",
  "USDC",
  "USD Coin",
  "USDD",
  "TUSD",
  "TrueUSD",
];

/** What counterfeiters put around a name, and what is no name of its own. */
const decorations = [
  "TRC",
  "TRC10",
  "TRC20",
  "token",
  "coin",
  "official",
  "stablecoin",
  "stable",
  "native",
  "mainnet",
  "network",
  "USD",
  "US",
  "dollar",
  "airdrop",
  "bonus",
  "claim",
  "free",
  "gift",
  "reward",
  "rewards",
  "www",
  "com",
  "org",
  "net",
  "io",
];

/**
 * Whether a name is read as the coin's or a dollar token's, however it is spelled, spaced and decorated; or as several of
 * these names one after the other, as in `TRON(TRX)`.
 */
export function calledLikeMoney(name: string): boolean {
  return spellingsOf(name).some((spelling) => {
    const words = wordsOf(spelling);
    // "USD Coin" without its decoration would be nothing, so each name is compared as it is, too.
    const bare = words.filter((word) => !decorationWords.has(word));
    return wellKnown.has(words.join("")) || isMadeOfNames(bare.join(""));
  });
}

/** Signs for letters that a skeleton keeps apart, as a reader takes them. */
const signs: Readonly<Record<string, string>> = {
  "5": "s",
  $: "s",
  "\u00a7": "s",
  "7": "t",
  "+": "t",
  "\u2020": "t",
  "3": "e",
  "\u20ac": "e",
  "4": "a",
  "@": "a",
};
/** Text behind one of these is drawn from its end. */
const TURNED = /[\u202e\u2067]/u;

/** As it stands; with its signs for letters; and as it is drawn where it is turned around. Numbers by themselves decorate. */
function spellingsOf(name: string): readonly string[] {
  const text = [...name].map(plainLetter).join("").normalize("NFKC");
  const unnumbered = text.replace(/(?<![\p{L}\p{N}])\p{N}+(?![\p{L}\p{N}])/gu, " ");
  const drawn = [text, unnumbered].flatMap((each) => [each, [...each].map((sign) => signs[sign] ?? sign).join("")]);
  return TURNED.test(name) ? [...drawn, ...drawn.map((each) => [...each].reverse().join(""))] : drawn;
}

/** Letters of flags, and white ones in dark circles and squares, which no normalization makes letters. */
const alphabets = [0x1f1e6, 0x1f150, 0x1f170];

function plainLetter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const first = alphabets.find((each) => code >= each && code < each + 26);
  return first === undefined ? character : String.fromCodePoint(0x61 + code - first);
}

/** Letters and digits as a reader takes them; all else only keeps words apart. */
function wordsOf(name: string): readonly string[] {
  return tokenNameSkeleton(name).match(/[\p{L}\p{N}]+/gu) ?? [];
}

const wellKnown: ReadonlySet<string> = new Set(wellKnownNames.map((name) => wordsOf(name).join("")));
const decorationWords: ReadonlySet<string> = new Set(decorations.flatMap(wordsOf));
/** Shorter ones stand in many names. */
const longDecorations = [...decorationWords].filter((word) => word.length > 2);
/** Nodes take names of 32 bytes, and no letter is drawn as more than a few. */
const LONGEST = 128;

/** Whether letters are well-known names and decorations and nothing else, one name at least. */
function isMadeOfNames(letters: string): boolean {
  if (letters.length > LONGEST) return false;
  // By place: how far the letters are explained, and whether by a name among others.
  const isReached = new Set([0]);
  const isNamed = new Set<number>();
  for (let at = 0; at < letters.length; at++) {
    if (!isReached.has(at)) continue;
    for (const part of [...wellKnown, ...longDecorations]) {
      if (!letters.startsWith(part, at)) continue;
      isReached.add(at + part.length);
      if (isNamed.has(at) || wellKnown.has(part)) isNamed.add(at + part.length);
    }
  }
  return isNamed.has(letters.length);
}
