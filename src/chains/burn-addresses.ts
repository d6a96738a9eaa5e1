import type { CanonicalAddress } from "./address.ts";
import type { Family } from "./chain.ts";

/** The leading digits of most burn addresses on EVM chains. */
const EVM_ZEROS = `0x${"0".repeat(36)}`;

/**
 * Addresses without a known private key, to which money is sent by mistake or to burn it.
 * - EVM: the zero address (EIP-20 transfers from and to it are mints and burns).
 * - EVM: 0x...dead, 0xdead...42069 and 0xff...ff, by their use for burning.
 * - EVM: the precompile 1, because coins that are sent to it stay there.
 * - TRON: the zero address, 0x...dead (the same 20 bytes), and the account "Blackhole" of the first block.
 * - Solana: the "incinerator" sysvar id and the System Program.
 * - Bitcoin: the hash of 20 zero bytes and the "Bitcoin Eater".
 */
const nobodys: Readonly<Record<Family, ReadonlySet<string>>> = {
  evm: new Set([
    `${EVM_ZEROS}0000`,
    `${EVM_ZEROS}0001`,
    `${EVM_ZEROS}dead`,
    "0xdead000000000000000042069420694206942069",
    `0x${"f".repeat(40)}`,
  ]),
  tron: new Set([
    "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb",
    "T9yD14Nj9j7xAB4dbGeiX9h8upfCg3PBbY",
    "TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy",
  ]),
  solana: new Set(["1nc1nerator11111111111111111111111111111111", "1".repeat(32)]),
  bitcoin: new Set(["1111111111111111111114oLvT2", "1BitcoinEaterAddressDontSendf59kuE"]),
};

/** Matches letters in any case. */
const evmBeginnings = /^0x(?:0{36}|dead0{16}|f{38})/i;

/**
 * Whether `text`, in any spelling, may be a burn address. The answer is no for nearly every address, and such an
 * address need not be parsed.
 */
export function mayBeBurnAddress(family: Family, text: string): boolean {
  // Letters are compared in any case. The pattern comes first, because lower-casing every address would allocate a
  // string for each.
  if (family === "evm") return evmBeginnings.test(text) && nobodys.evm.has(text.toLowerCase());
  // A TRON address may also be written in hex digits.
  return nobodys[family].has(text) || (family === "tron" && !text.startsWith("T"));
}

/** Whether funds that are sent to `address` are lost. */
export function isBurnAddress(family: Family, address: CanonicalAddress): boolean {
  return nobodys[family].has(address);
}
