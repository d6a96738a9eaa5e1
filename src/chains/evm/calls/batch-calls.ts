import { readArguments } from "../abi/abi-reader.ts";
import { readSignature } from "../abi/abi-type.ts";
import { type Arguments, argumentsOf } from "../abi/arguments.ts";
import type { EvmAct } from "../act.ts";
import { isSafeCode } from "./safe-libraries.ts";
import { ZERO_ADDRESS } from "./token-calls.ts";
import type { EvmCall, Unwrap } from "./wrappers.ts";

/** A list of calls that the contract makes in its own name: `(target, value, data)` each. */
const batchOf =
  (index: number): Unwrap =>
  (args, { contract }) => ({ calls: callsOf(args.tuples(index), contract), acts: [] });

function callsOf(calls: readonly Arguments[], by: EvmCall["by"]): readonly EvmCall[] {
  return calls.map((each) => ({
    by,
    contract: each.address(0),
    value: each.integer(1),
    data: each.hex(2),
    asCaller: false,
  }));
}

/** A list of calls without coins: the target at 0, the data at `index`. */
const plainBatch =
  (list: number, index: number): Unwrap =>
  (args, { contract: by }) => ({
    calls: args.tuples(list).map((each) => ({
      by,
      contract: each.address(0),
      value: 0n,
      data: each.hex(index),
      asCaller: false,
    })),
    acts: [],
  });

const oneCall: Unwrap = (args, { contract }) => ({
  calls: [{ by: contract, contract: args.address(0), value: args.integer(1), data: args.hex(2), asCaller: false }],
  acts: [],
});

/** Parallel lists of targets, values and data. Undefined for lists of different lengths, which contracts refuse. */
const parallelBatch =
  (hasValues: boolean): Unwrap =>
  (args, { contract: by }) => {
    const targets = args.addresses(0);
    const data = args.hexes(hasValues ? 2 : 1);
    const values = hasValues ? args.integers(1) : targets.map(() => 0n);
    if (targets.length !== data.length || targets.length !== values.length) return undefined;
    return {
      calls: targets.map((contract, i) => ({
        by,
        contract,
        value: values[i] ?? 0n,
        data: data[i] ?? "",
        asCaller: false,
      })),
      acts: [],
    };
  };

const executionInputs = readSignature("x((address,uint256,bytes)[])").inputs;
const PACKED_HEAD_DIGITS = 2 * (20 + 32);

/** The first byte of the mode is 00 for one packed call and 01 for a list. Source: ERC-7579 and ERC-7821. */
const executeByMode: Unwrap = (args, { contract: by }) => {
  const [mode, digits] = [args.hex(0).slice(0, 2), args.hex(1)];
  if (mode === "01") {
    const values = readArguments(digits, executionInputs);
    return values === undefined ? undefined : { calls: callsOf(argumentsOf(values).tuples(0), by), acts: [] };
  }
  if (mode !== "00" || digits.length < PACKED_HEAD_DIGITS) return undefined;
  const packed = readArguments(`${"0".repeat(24)}${digits.slice(0, PACKED_HEAD_DIGITS)}`, packedHead);
  if (packed === undefined) return undefined;
  const head = argumentsOf(packed);
  const data = digits.slice(PACKED_HEAD_DIGITS);
  return { calls: [{ by, contract: head.address(0), value: head.integer(1), data, asCaller: false }], acts: [] };
};
const packedHead = readSignature("x(address,uint256)").inputs;

/** Pays each recipient. The lists have the same length, or the contract refuses them. */
const disperseEther: Unwrap = (args, { contract: by }) => {
  const [recipients, amounts] = [args.addresses(0), args.integers(1)];
  if (recipients.length !== amounts.length) return undefined;
  const acts = recipients.map((to, i): EvmAct => ({ does: "pay", from: by, to, amount: amounts[i] ?? 0n }));
  return { calls: [], acts };
};

const disperseToken: Unwrap = (args, { by }) => {
  const [token, recipients, amounts] = [args.address(0), args.addresses(1), args.integers(2)];
  if (recipients.length !== amounts.length) return undefined;
  const acts = recipients.map((to, i): EvmAct => ({ does: "transfer", token, from: by, to, amount: amounts[i] ?? 0n }));
  return { calls: [], acts };
};

/** The target may spend an amount of a token during the call. Source: 0x Settler, AllowanceHolder. */
const execWithAllowance: Unwrap = (args, { by }) => {
  const [spender, token, amount] = [args.address(0), args.address(1), args.integer(2)];
  const act: EvmAct = { does: "approve", token, of: by, spender, amount, adds: false, by: "call" };
  const call = { by, contract: args.address(3), value: 0n, data: args.hex(4), asCaller: false };
  return { calls: [call], acts: amount === 0n ? [] : [act] };
};

/** The initializer is a call of the new Safe, which runs the code of the singleton. An account without owners is open. */
const createSafe: Unwrap = (args, { by }) => {
  const data = args.hex(1);
  return data === ""
    ? undefined
    : { calls: [{ by, contract: args.address(0), value: 0n, data, asCaller: false }], acts: [] };
};

/** Source: Safe, `setup`. */
const setupSafe: Unwrap = (args, { contract: safe }) => {
  const [owners, target, data, handler] = [args.addresses(0), args.address(2), args.hex(3), args.address(4)];
  const [token, payment, receiver] = [args.address(5), args.integer(6), args.address(7)];
  const paid = token === ZERO_ADDRESS ? undefined : token;
  return {
    calls: target === ZERO_ADDRESS ? [] : [{ by: safe, contract: target, value: 0n, data, asCaller: true }],
    acts: [
      ...owners.map((to): EvmAct => ({ does: "give_ownership", contract: safe, to })),
      // A new account has nothing yet, so a foreign handler counts as an owner.
      ...(handler === ZERO_ADDRESS || isSafeCode(handler)
        ? []
        : [{ does: "give_ownership", contract: safe, to: handler } as const]),
      ...(payment === 0n || receiver === ZERO_ADDRESS
        ? []
        : [{ does: "refund", token: paid, from: safe, to: receiver } as const]),
    ],
  };
};

/** Calls that an account makes in its own name. Sources: ERC-4337 SimpleAccount; ERC-7579; ERC-7821. */
export const accountBatches: Readonly<Record<string, Unwrap>> = {
  "execute(address,uint256,bytes)": oneCall,
  "execute((address,uint256,bytes)[])": batchOf(0),
  "executeBatch((address,uint256,bytes)[])": batchOf(0),
  "batchExecute((address,uint256,bytes)[])": batchOf(0),
  "executeBatch(address[],bytes[])": parallelBatch(false),
  "executeBatch(address[],uint256[],bytes[])": parallelBatch(true),
  "execute(bytes32,bytes)": executeByMode,
};

/**
 * Calls that a service makes for its caller. Sources: Multicall3; Disperse; 0x Settler, AllowanceHolder; Safe,
 * SafeProxyFactory.
 */
export const serviceBatches: Readonly<Record<string, Unwrap>> = {
  "aggregate((address,bytes)[])": plainBatch(0, 1),
  "tryAggregate(bool,(address,bytes)[])": plainBatch(1, 1),
  "aggregate3((address,bool,bytes)[])": plainBatch(0, 2),
  "disperseEther(address[],uint256[])": disperseEther,
  "disperseToken(address,address[],uint256[])": disperseToken,
  "disperseTokenSimple(address,address[],uint256[])": disperseToken,
  "exec(address,address,uint256,address,bytes)": execWithAllowance,
  "createProxyWithNonce(address,bytes,uint256)": createSafe,
  "createProxyWithNonceL2(address,bytes,uint256)": createSafe,
  "setup(address[],uint256,address,bytes,address,address,uint256,address)": setupSafe,
};
