import { wordBytes } from "../../chains/evm/evm-storage.ts";
import { parseHex } from "../machine/code.ts";

/** Values for arguments: addresses in order (the last one repeats), and one number for every number. */
export interface CallInput {
  readonly addresses: readonly bigint[];
  readonly number: bigint;
  readonly flag: boolean;
}

/**
 * The input of a call: selector and arguments of the canonical `types`. A list has one element. Source: Solidity
 * documentation, "Contract ABI Specification".
 *
 * @returns undefined for unsupported types: texts, bytes, structs, lists of lists.
 */
export function callData(selector: string, types: string, given: CallInput): Uint8Array | undefined {
  const names = types === "" ? [] : types.split(",");
  const heads: bigint[] = [];
  const tails: bigint[] = [];
  let addresses = 0;
  const wordOfType = (type: string): bigint | undefined => {
    if (type === "address") return given.addresses[Math.min(addresses++, given.addresses.length - 1)];
    if (type === "bool") return given.flag ? 1n : 0n;
    if (/^bytes\d+$/.test(type)) return 0n;
    const bits = /^u?int(\d*)$/.exec(type)?.[1];
    return bits === undefined ? undefined : BigInt.asUintN(bits === "" ? 256 : Number(bits), given.number);
  };
  for (const name of names) {
    const list = /^([a-z]+\d*)\[\]$/.exec(name)?.[1];
    const word = wordOfType(list ?? name);
    if (word === undefined) return undefined;
    if (list === undefined) heads.push(word);
    else {
      heads.push(BigInt((names.length + tails.length) * 32));
      tails.push(1n, word);
    }
  }
  const start = parseHex(selector) ?? new Uint8Array();
  return Uint8Array.from([...start, ...[...heads, ...tails].flatMap((word) => [...wordBytes(word)])]);
}
