import { tokenNameSkeleton } from "../../address-poisoning/token-name.ts";

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
  "www",
  "com",
  "org",
  "net",
  "io",
];

/** Whether a name is read as the coin's or a dollar token's, however it is spelled, spaced and decorated. */
export function calledLikeMoney(name: string): boolean {
  const words = wordsOf(name);
  // "USD Coin" without its decoration would be USD, so each name is compared as it is, too.
  return [words, words.filter((word) => !decorationWords.has(word))].some((each) => wellKnown.has(each.join("")));
}

/** Letters and digits as a reader takes them; all else only keeps words apart. */
function wordsOf(name: string): readonly string[] {
  return tokenNameSkeleton(name).match(/[\p{L}\p{N}]+/gu) ?? [];
}

const wellKnown: ReadonlySet<string> = new Set(wellKnownNames.map((name) => wordsOf(name).join("")));
const decorationWords: ReadonlySet<string> = new Set(decorations.flatMap(wordsOf));
