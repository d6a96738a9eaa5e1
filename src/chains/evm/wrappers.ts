import type { CanonicalAddress } from "../address.ts";
import { addressOf } from "./abi-reader.ts";
import type { EvmAct } from "./act.ts";
import type { Arguments } from "./arguments.ts";
import type { Called } from "./signatures.ts";
import { ZERO_ADDRESS } from "./signatures.ts";

/** One call of the transaction, or one call inside another call. */
export interface EvmCall extends Called {
  readonly value: bigint;
  /** Lower-case hex digits. */
  readonly data: string;
  /** Whether the code of the contract runs as its caller, with all rights of the caller. */
  readonly asCaller: boolean;
}

/** The calls inside a call, and the further effects of the outer call. Undefined when the arguments are unreadable. */
export interface Unwrapped {
  readonly calls: readonly EvmCall[];
  readonly acts: readonly EvmAct[];
}

export type Unwrap = (args: Arguments, call: EvmCall) => Unwrapped | undefined;

/** The contract calls itself, with the same caller and the same value. */
const multicall =
  (index: number): Unwrap =>
  (args, { by, contract }) => ({
    calls: args.hexes(index).map((data) => ({ by, contract, value: 0n, data, asCaller: false })),
    acts: [],
  });

/** Operation 1 is a delegate call: code of another contract acts as the Safe. Source: Safe, `Enum.Operation`. */
export const execTransaction: Unwrap = (args, { contract: safe }) => {
  const operation = args.integer(3);
  if (operation > 1n) return undefined;
  const asCaller = operation === 1n;
  const call = { by: safe, contract: args.address(0), value: args.integer(1), data: args.hex(2), asCaller };
  const [gasPrice, receiver] = [args.integer(6), args.address(8)];
  const token = args.address(7) === ZERO_ADDRESS ? undefined : args.address(7);
  // Without a receiver, the account that sends the transaction is paid.
  const isRefunded = gasPrice > 0n && receiver !== ZERO_ADDRESS;
  return { calls: [call], acts: isRefunded ? [{ does: "refund", token, from: safe, to: receiver }] : [] };
};

const HEAD_DIGITS = 2 * (1 + 20 + 32 + 32);

/** The packed calls, each as operation (1 byte), to (20), value (32), length (32), data. Source: Safe, `MultiSend`. */
const multiSend: Unwrap = (args, { by, contract, asCaller }) => {
  const digits = args.hex(0);
  const calls: EvmCall[] = [];
  for (let at = 0; at < digits.length; ) {
    if (at + HEAD_DIGITS > digits.length) return undefined;
    const operation = digits.slice(at, at + 2);
    const length = BigInt(`0x${digits.slice(at + 106, at + HEAD_DIGITS)}`);
    if ((operation !== "00" && operation !== "01") || length > BigInt(digits.length)) return undefined;
    const end = at + HEAD_DIGITS + 2 * Number(length);
    if (end > digits.length) return undefined;
    calls.push({
      by: asCaller ? by : contract,
      contract: addressOf(digits.slice(at + 2, at + 42)),
      value: BigInt(`0x${digits.slice(at + 42, at + 106)}`),
      data: digits.slice(at + HEAD_DIGITS, end),
      asCaller: operation === "01",
    });
    at = end;
  }
  return { calls, acts: [] };
};

/** Calls that contain other calls, by signature. */
export const wrappers: Readonly<Record<string, Unwrap>> = {
  "multicall(bytes[])": multicall(0),
  "multicall(uint256,bytes[])": multicall(1),
  "multicall(bytes32,bytes[])": multicall(1),
  "execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)": execTransaction,
  "multiSend(bytes)": multiSend,
};

/**
 * MultiSend and MultiSendCallOnly, versions 1.1.1 to 1.5.0, on every chain. Source: @safe-global/safe-deployments
 * 1.37.63.
 */
const multiSends: ReadonlySet<CanonicalAddress> = new Set(
  [
    "8d29be29923b68abfdd21e541b9374737b49cdad",
    "0dfcccb95225ffb03c6fbb2559b530c2b7c8a912",
    "998739bfdaadde7c933b942a68053933098f9eda",
    "a238cbeb142c10ef7ad8442c6d1f9e89e07e7761",
    "309d0b190fecca8e1d5d8309a16f7e3cb133e885",
    "38869bf66a61cf6bdb996a6ae40d5853fd43b526",
    "218543288004cd07832472d464648173c77d7eb7",
    "40a2accbd92bca938b02010e17a5b8929b49130d",
    "a1dabef33b3b82c7814b6d82a79e50f4ac44102b",
    "f220d3b4dfb23c4ade8c88e526c1353abacbc38f",
    "0408ef011960d02349d50286d20531229bcef773",
    "9641d764fc13c8b624c04430c7356c1c7c8102e2",
    "a83c336b20401af773b6219ba5027174338d1836",
  ].map(addressOf),
);

/** Whether the contract is a MultiSend contract, through which a Safe makes several calls. */
export function isMultiSend(contract: CanonicalAddress): boolean {
  return multiSends.has(contract);
}

/**
 * Whether a call runs foreign code with the rights of its caller. MultiSend contracts do only what their calldata says,
 * so they do not count.
 */
export function isForeignCode({ asCaller, contract }: EvmCall): boolean {
  return asCaller && !multiSends.has(contract);
}
