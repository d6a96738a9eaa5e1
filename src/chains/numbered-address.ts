import type { CanonicalAddress } from "./address.ts";
import type { Family } from "./chain.ts";

/** Shorter runs of zeros occur in ground addresses, so they are not counted. */
const zeroRuns = /0{8,}/g;

/**
 * The number of zeros that repeat the digit before them. Nineteen take about 2^76 attempts, or 2^64 in several runs. An
 * imitation also needs matching ends.
 * Seaport 1.6, the longest search among the bundled contracts, has 13.
 */
const ENOUGH_ZEROS = 19;

/**
 * An address of TRON's 0x41 and ten zero bytes always begins with this text. A search would have to hit 13 characters,
 * 2^76 attempts.
 */
const TRON_ZEROS = "T9yD14Nj9j7xAB";

/** Sixteen ones in base58 take 58^15 = 2^88 attempts. The accounts of the system are a word and then ones. */
const ones = /1{16}/;

/** Fourteen q of bech32 are 13 zeros of five bits behind the first: 2^65 attempts. */
const bech32Zeros = /q{14}/;

/**
 * Whether an address was numbered or written by hand instead of derived from a key: it contains long runs of zeros.
 * Examples are account numbers of Hedera, precompiles, predeploys (0x4200...0006) and tokens of factories that count.
 * Two numbered addresses may differ in a few characters and still be honest neighbours. Only zeros count, because
 * counters are padded with zeros.
 */
export function isNumbered(family: Family, address: CanonicalAddress): boolean {
  if (family === "tron") return address.startsWith(TRON_ZEROS);
  if (family === "solana") return ones.test(address);
  if (family === "bitcoin") return (address.startsWith("bc1") ? bech32Zeros : ones).test(address);
  // This check rejects nearly every address before the list of matches is made.
  if (!address.includes("00000000")) return false;
  const runs = address.slice(2).match(zeroRuns) ?? [];
  return runs.reduce((sum, run) => sum + run.length - 1, 0) >= ENOUGH_ZEROS;
}

/** A word of four digits with unequal halves, seven times in a row. For a given filler this takes 2^112 attempts. */
const filler = /^0x(?!(..)\1)(.{4})\2{6}/;

/**
 * Whether two addresses were numbered in the same way, so that they are neighbours and not lookalikes. Besides zeros,
 * both addresses may begin with one filler, as predeploys (0xc0d3c0d3...0006) do. A search cannot produce a second such
 * address.
 */
export function areNumberedAlike(family: Family, a: CanonicalAddress, b: CanonicalAddress): boolean {
  if (isNumbered(family, a) && isNumbered(family, b)) return true;
  if (family !== "evm") return false;
  const word = fillerOf(a);
  return word !== undefined && word === fillerOf(b);
}

function fillerOf(address: CanonicalAddress): string | undefined {
  return filler.exec(address)?.[2];
}
