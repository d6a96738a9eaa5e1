import type { CanonicalAddress } from "./address.ts";
import type { Family } from "./chain.ts";

/** Shorter rows of zeros occur in addresses that were searched for, so they are not counted. */
const zeroRuns = /0{8,}/g;

/**
 * Zeros that repeat the digit before them. Seaport 1.6, the longest search among the bundled contracts, has 13. Nineteen
 * take about 2^76 attempts, or 2^64 in several rows. An imitation needs its ends on top of that.
 */
const ENOUGH_ZEROS = 19;

/** TRON's 0x41 with ten zero bytes behind it always begins so: 13 characters that a search would have to hit, 2^76. */
const TRON_ZEROS = "T9yD14Nj9j7xAB";

/** Sixteen ones of base58 are 58^15 = 2^88 attempts. The system's own accounts are a word and then ones. */
const ones = /1{16}/;

/** Fourteen q of bech32 are 13 zeros of five bits behind one: 2^65 attempts. */
const bech32Zeros = /q{14}/;

/**
 * Whether an address was counted or written by hand instead of derived from a key: long rows of zeros stand in it. Account
 * numbers of Hedera, precompiles, predeploys (0x4200...0006) and tokens of factories that count are such. Two of them
 * differ in a few characters and are honest neighbours. Only zeros are counted: a counter is padded with them.
 */
export function isNumbered(family: Family, address: CanonicalAddress): boolean {
  if (family === "tron") return address.startsWith(TRON_ZEROS);
  if (family === "solana") return ones.test(address);
  if (family === "bitcoin") return (address.startsWith("bc1") ? bech32Zeros : ones).test(address);
  // Of nearly every address this says no, and spares the list of matches.
  if (!address.includes("00000000")) return false;
  const runs = address.slice(2).match(zeroRuns) ?? [];
  return runs.reduce((sum, run) => sum + run.length - 1, 0) >= ENOUGH_ZEROS;
}

/** A word of four digits, of unequal halves, seven times in a row: 2^112 attempts for a given filler. */
const filler = /^0x(?!(..)\1)(.{4})\2{6}/;

/**
 * Whether two addresses were numbered in the same way, so that they are neighbours and no lookalikes. Beside zeros both may
 * begin with one filler, as predeploys (0xc0d3c0d3...0006) do. A search cannot make the second such address.
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
