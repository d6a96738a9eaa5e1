import { toHex } from "../../evm-analysis/machine/code.ts";
import { WORD_BYTES } from "../evm/word.ts";

/** An address as an argument. */
export const argumentOf = (address: string) => address.slice(2).padStart(WORD_BYTES * 2, "0");

/** Hex of a number as an argument. */
export const numberArgument = (value: bigint) => value.toString(16).padStart(WORD_BYTES * 2, "0");

/** An address of 20 bytes. */
export const addressOfBytes = (bytes: Uint8Array) => `0x${toHex(bytes)}`;
