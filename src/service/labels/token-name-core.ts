import { tokenNameSkeleton } from "./token-name.ts";

/** Shorter names say too little. $W does not imitate OP, but many tokens have names like it. */
const SHORTEST = 3;
/** Digits in place of letters that look alike, beyond the 0 and 1 of the skeleton. */
const letterByDigit: ReadonlyMap<string, string> = new Map([
  ["3", "e"],
  ["4", "a"],
  ["5", "s"],
  ["7", "t"],
  ["8", "b"],
]);
/** The digit of a version is at the end (USD3, BTC8). A digit for a letter can be anywhere. */
const withinLetters = /[34578]\P{N}*\p{L}/u;
const RIGHT_TO_LEFT = "\u202e";
const END_OF_DIRECTION = "\u202c";

/**
 * The cores of a token's name, as UTS #39 reads it: its letters, digits and plus signs. Readers overlook spaces, dots,
 * dollar signs, brackets, ticks and accents. "$USDT", "U.S.D.T", "USDT ✅" and "ÙSDT" are USDT. "USDC.e" is USDCe,
 * "USDT0" keeps its digit, and "DAI+" keeps its sign, as honest variants do.
 *
 * The core of the name itself comes first. Variants follow: with letters for digits ("U5DT"), and reversed where the
 * name switches to right-to-left. Names that are too short have no core.
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
