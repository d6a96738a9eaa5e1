import { type Contract, endingsOf, selectors } from "../contract.ts";
import { type Expr, isConst, parts } from "../machine/expr.ts";
import { type ContractCall, type PathTrace, stepsOf } from "../paths/path.ts";
import { readOf, type StorageField } from "./slot.ts";

/** Another contract that keeps a token's balances. */
export interface Ledger {
  /** The field with the address. Undefined when the address is written in the code. */
  readonly field: StorageField | undefined;
  readonly address: Expr;
}

/** The highest address that is reserved for precompiles. */
const LAST_PRECOMPILE = 0x1ffn;

/** A fixed callee: an address in the code, or in a variable that is no list entry. */
function fixed({ to, op }: ContractCall): Ledger | undefined {
  if (op === "DELEGATECALL" || op === "CALLCODE") return undefined;
  if (isConst(to)) return to.value > LAST_PRECOMPILE ? { field: undefined, address: to } : undefined;
  const field = readOf(to);
  return field === undefined || field.keys.length > 0 ? undefined : { field, address: to };
}

const calls = (trace: PathTrace | undefined): readonly ContractCall[] =>
  stepsOf(trace).filter((step): step is ContractCall => step.kind === "call");
const isTold = (call: ContractCall, ...args: readonly bigint[]) =>
  args.every((at) => call.input.some((word) => [...parts(word)].some(({ op, value }) => op === "ARG" && value === at)));

/**
 * The contract that answers balance questions and receives every transfer: its receiver and amount. Undefined when
 * there is none, or when it does not receive every transfer.
 */
export function ledgerOf(contract: Contract): Ledger | undefined {
  for (const { trace, result } of endingsOf(contract, selectors.balanceOf)) {
    const answers = new Set(
      result === undefined ? [] : [...parts(result)].flatMap(({ op, args }) => (op === "RET" ? args : [])),
    );
    for (const call of calls(trace)) {
      const ledger = fixed(call);
      if (ledger === undefined || !answers.has(call.result) || !isTold(call, 0n)) continue;
      const isOf = (other: ContractCall) => fixed(other)?.address === ledger.address;
      const transfers = endingsOf(contract, selectors.transfer);
      const isAlwaysTold = transfers.every((ending) =>
        calls(ending.trace).some((one) => isOf(one) && isTold(one, 0n, 1n)),
      );
      if (transfers.length > 0 && isAlwaysTold) return ledger;
    }
  }
  return undefined;
}
