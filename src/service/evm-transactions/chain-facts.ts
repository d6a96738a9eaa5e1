import type { CanonicalAddress } from "../../chains/address.ts";
import type { EvmReading, EvmTransfer } from "../../chains/evm/read-transaction.ts";
import { numberAt } from "../../evm-analysis/machine/code.ts";
import type { Clock } from "../../kernel/clock.ts";
import { type EvmNode, NodeUnavailableError } from "../evm/node.ts";
import { WORD_BYTES } from "../evm/word.ts";
import { execute } from "./execute.ts";
import type { EvmExecution } from "./execution.ts";
import type { CodeKind, EvmChainFacts } from "./facts.ts";

/** Timeout for a node's answers, milliseconds: less than the server's own timeout. */
const PATIENCE_MS = 9_000;
/**
 * A contract is new if it did not exist this number of blocks ago. Nodes without archives keep the state of 128 blocks.
 */
const NEW_BLOCKS = 100n;

/**
 * Reads the sender's balance, the code at each address, and which spenders are new, and executes the transaction. All
 * of it uses the state after one block.
 *
 * @throws {NodeUnavailableError} when no node gives a credible answer in time.
 */
export async function askChain(
  node: EvmNode,
  transaction: EvmTransfer,
  does: EvmReading,
  addresses: readonly CanonicalAddress[],
  clock: Pick<Clock, "sleep">,
): Promise<EvmChainFacts> {
  const patience = new AbortController();
  const finished = new AbortController();
  const late = () => patience.abort(new NodeUnavailableError(`no state within ${PATIENCE_MS} ms`));
  clock.sleep(PATIENCE_MS, finished.signal).then(late, () => {});
  try {
    const at = await node.head(patience.signal);
    const [state, execution] = await Promise.all([
      stateOf(node, transaction.from, does, addresses, at, patience.signal),
      execute(node, transaction, does, at, patience.signal),
    ]);
    return { block: at, ...state, execution: withBalance(execution, transaction.from, state.balance) };
  } finally {
    finished.abort();
  }
}

/** The sender's balance of the native coin was read separately from the execution. */
function withBalance(
  execution: EvmExecution | undefined,
  sender: CanonicalAddress,
  before: bigint,
): EvmExecution | undefined {
  if (execution?.ended !== "done") return execution;
  const changes = execution.changes.map((change) =>
    change.standard === "native" && change.account === sender ? { ...change, before } : change,
  );
  return { ...execution, changes };
}

async function stateOf(
  node: EvmNode,
  sender: CanonicalAddress,
  { acts }: EvmReading,
  addresses: readonly CanonicalAddress[],
  at: bigint,
  signal: AbortSignal,
): Promise<Pick<EvmChainFacts, "balance" | "codeAt" | "isNew">> {
  const codeOf = (address: CanonicalAddress) => ({ of: "code" as const, address });
  const [balance, ...codes] = await node.read(
    [{ of: "balance", address: sender }, ...addresses.map(codeOf)],
    at,
    signal,
  );
  if (balance === undefined) throw new NodeUnavailableError("a node left an answer out");
  const codeAt = new Map(addresses.map((address, i) => [address, kindOf(codes[i])]));
  const spenders = new Set(
    acts.flatMap((act) => (act.does === "approve" || act.does === "approve_all" ? [act.spender] : [])),
  );
  const contracts = [...spenders].filter((spender) => codeAt.get(spender) === "contract");
  // On a chain with fewer blocks, every contract would be new.
  const earlier = at < NEW_BLOCKS ? [] : await node.read(contracts.map(codeOf), at - NEW_BLOCKS, signal);
  const isNew = new Set(contracts.filter((_, i) => earlier[i]?.length === 0));
  return { balance: numberAt(balance, 0, WORD_BYTES), codeAt, isNew };
}

/** EIP-7702 stores 0xef0100 and an address as the code of a delegating account. */
function kindOf(code: Uint8Array | undefined): CodeKind {
  if (code === undefined || code.length === 0) return "wallet";
  return code.length === 23 && code[0] === 0xef && code[1] === 0x01 && code[2] === 0x00 ? "delegated" : "contract";
}
