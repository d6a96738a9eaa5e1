import { tokenNameSkeleton } from "./token-name.ts";

/** Shorter ones say too little: $W is not OP, but many are called something like it. */
const SHORTEST = 3;
/** Digits that are written for the letters that they are drawn like, beyond the 0 and 1 of the skeleton. */
const letterByDigit: ReadonlyMap<string, string> = new Map([
  ["3", "e"],
  ["4", "a"],
  ["5", "s"],
  ["7", "t"],
  ["8", "b"],
]);
/** A version's digit stands at the end (USD3, BTC8), a letter's anywhere. */
const withinLetters = /[34578]\P{N}*\p{L}/u;
const RIGHT_TO_LEFT = "\u202e";
const END_OF_DIRECTION = "\u202c";

/**
 * What is left of a token's name, as UTS #39 reads it, when a reader overlooks all that is no letter, digit or plus sign:
 * spaces, dots, dollar signs, brackets, ticks, accents. "$USDT", "U.S.D.T", "USDT ✅" and "ÙSDT" are USDT; "USDC.e" is
 * USDCe and "USDT0" keeps its digit, as honest variants do, and "DAI+" its sign. None at all for what is too short.
 *
 * The name itself comes first; then with digits for letters ("U5DT"), and drawn from right to left where it says so.
 */
export function tokenNameCores(name: string): readonly string[] {
  const core = coreOf(name);
  const cores = [core];
  if (withinLetters.test(core)) cores.push(core.replace(/[34578]/g, (digit) => letterByDigit.get(digit) ?? digit));
  if (name.includes(RIGHT_TO_LEFT)) cores.push(coreOf(asDrawn(name)));
  return cores.filter((each) => each.length >= SHORTEST);
}

function coreOf(name: string): string {
  const bare = name.normalize("NFKD").replace(/\p{M}/gu, "");
  return (
    tokenNameSkeleton(bare)
      .normalize("NFD")
      .match(/[\p{L}\p{N}+]+/gu)
      ?.join("") ?? ""
  );
}

function asDrawn(name: string): string {
  const [before = "", ...others] = name.split(RIGHT_TO_LEFT);
  return [before, ...others.map(turned)].join("");
}

function turned(text: string): string {
  const end = text.indexOf(END_OF_DIRECTION);
  const [inside, behind] = end < 0 ? [text, ""] : [text.slice(0, end), text.slice(end)];
  return [...inside].reverse().join("") + behind;
}
