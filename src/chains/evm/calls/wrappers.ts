import { addressOf } from "../abi/abi-reader.ts";
import type { Arguments } from "../abi/arguments.ts";
import type { EvmAct } from "../act.ts";
import { isSafeLibrary } from "./safe-libraries.ts";
import type { Called } from "./token-calls.ts";
import { ZERO_ADDRESS } from "./token-calls.ts";

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
 * Whether a call runs foreign code with the rights of its caller. Libraries that Safe publishes do only what their
 * calldata says, so they do not count.
 */
export function isForeignCode({ asCaller, contract }: EvmCall): boolean {
  return asCaller && !isSafeLibrary(contract);
}
