import type { CanonicalAddress } from "./address.ts";
import type { Family } from "./chain.ts";

/** What most of those of EVM begin with. */
const EVM_ZEROS = `0x${"0".repeat(36)}`;

/**
 * Addresses that nobody has the key of, and that money is sent to by mistake or to burn it. Sources: the zero address of
 * EVM (EIP-20 transfers from and to it are mints and burns) and TRON, 0x...dead by its use for burning (TRON's is the same 20 bytes), by the same use
 * 0xdead...42069 and 0xff...ff, the precompile 1, whose coins stay there, the account "Blackhole" of TRON's first block, Solana's
 * "incinerator" sysvar id and its System Program, Bitcoin's hash of 20 zero bytes and the "Bitcoin Eater".
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

/** However letters are written. */
const evmBeginnings = /^0x(?:0{36}|dead0{16}|f{38})/i;

/** Whether `text` may be such a one, in whatever spelling: of nearly every address this says no, and spares its reading. */
export function mayBeBurnAddress(family: Family, text: string): boolean {
  // However their letters are written; to write those of every address in lower case would make a text of each.
  if (family === "evm") return evmBeginnings.test(text) && nobodys.evm.has(text.toLowerCase());
  // TRON's may be given as hex digits, too.
  return nobodys[family].has(text) || (family === "tron" && !text.startsWith("T"));
}

/** Whether what is sent to `address` is lost. */
export function isBurnAddress(family: Family, address: CanonicalAddress): boolean {
  return nobodys[family].has(address);
}
