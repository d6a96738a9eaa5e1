import type { CanonicalAddress } from "../../src/chains/address.ts";
import { isNumbered } from "../../src/chains/numbered-address.ts";
import type { LabelList } from "../../src/labels/label-list.ts";

/** The labelled tokens of EVM chains, by the chain's id. */
export function evmTokensByChain(lists: readonly LabelList[]): ReadonlyMap<string, readonly CanonicalAddress[]> {
  const tokens = lists.flatMap(({ labels }) =>
    Array.from({ length: labels.length }, (_, at) => labels.at(at)).flatMap((label) =>
      label?.kind === "token" && label.chain.family === "evm" ? [{ id: label.chain.id, address: label.address }] : [],
    ),
  );
  const byChain = Map.groupBy(tokens, ({ id }) => id);
  return new Map([...byChain].map(([id, group]) => [id, group.map(({ address }) => address)]));
}

/** Digits of an ending, as launchpads of EVM chains grind them. */
const DIGITS = 4;
/**
 * Most endings of a chain that may pass by accident: one on two chains. An accidental ending costs little, since only
 * one address in 16^4 has it. A missed ending gives a false alarm for every thousandth token of its launchpad.
 */
const ACCIDENTS = 0.5;

/**
 * Endings that far more of a chain's tokens have than chance gives. Numbered addresses are left out, since a counter
 * makes their endings. An ending passes when fewer than one of all 16^4 on two chains would be as frequent by accident.
 */
export function commonEndings(tokens: readonly CanonicalAddress[]): readonly string[] {
  const searched = [...new Set(tokens)].filter((token) => !isNumbered("evm", token));
  const byEnding = Map.groupBy(searched, (token) => token.slice(-DIGITS));
  const expected = searched.length / 16 ** DIGITS;
  const isCommon = (count: number) => atLeast(count, expected) * 16 ** DIGITS < ACCIDENTS;
  return [...byEnding]
    .filter(([, { length }]) => isCommon(length))
    .map(([ending]) => ending)
    .sort();
}

/**
 * The probability that a Poisson variable with this mean is `count` or more. The terms fall fast where the mean is
 * small.
 */
function atLeast(count: number, mean: number): number {
  let term = Math.exp(-mean);
  for (let i = 1; i <= count; i++) term *= mean / i;
  let sum = 0;
  for (let i = count; i < count + 50; i++) {
    sum += term;
    term *= mean / (i + 1);
  }
  return sum;
}
