import { toHex } from "../../evm-analysis/machine/code.ts";
import { WORD_BYTES } from "../evm/word.ts";

/** Hex of an address as an ABI argument. */
export const argumentOf = (address: string) => address.slice(2).padStart(WORD_BYTES * 2, "0");

/** Hex of a number as an ABI argument. */
export const numberArgument = (value: bigint) => value.toString(16).padStart(WORD_BYTES * 2, "0");

/** The 0x address of 20 bytes. */
export const addressOfBytes = (bytes: Uint8Array) => `0x${toHex(bytes)}`;
