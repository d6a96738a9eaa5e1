import type { CanonicalAddress } from "../../chains/address.ts";
import type { Clock } from "../../kernel/clock.ts";
import { numberAt } from "../bytecode/code.ts";
import { type EvmNode, NodeUnavailableError } from "../evm/node.ts";
import { WORD_BYTES } from "../evm/word.ts";
import type { ChainFacts, CodeKind } from "./facts.ts";

/** Longest time for a node's answers, milliseconds: less than the server's own patience. */
const PATIENCE_MS = 9_000;

/**
 * What the sender has, and what stands at each address that gains, all after one block.
 *
 * @throws {NodeUnavailableError} when no node can be believed in time.
 */
export async function askChain(
  node: EvmNode,
  sender: CanonicalAddress,
  addresses: readonly CanonicalAddress[],
  clock: Pick<Clock, "sleep">,
): Promise<ChainFacts> {
  const patience = new AbortController();
  const finished = new AbortController();
  const late = () => patience.abort(new NodeUnavailableError(`no state within ${PATIENCE_MS} ms`));
  clock.sleep(PATIENCE_MS, finished.signal).then(late, () => {});
  try {
    const at = await node.head(patience.signal);
    const reads = addresses.map((address) => ({ of: "code" as const, address }));
    const [balance, ...codes] = await node.read([{ of: "balance", address: sender }, ...reads], at, patience.signal);
    if (balance === undefined) throw new NodeUnavailableError("a node left an answer out");
    const codeAt = new Map(addresses.map((address, i) => [address, kindOf(codes[i])]));
    return { balance: numberAt(balance, 0, WORD_BYTES), codeAt };
  } finally {
    finished.abort();
  }
}

/** EIP-7702 writes 0xef0100 and an address where the code of an account stands. */
function kindOf(code: Uint8Array | undefined): CodeKind {
  if (code === undefined || code.length === 0) return "wallet";
  return code.length === 23 && code[0] === 0xef && code[1] === 0x01 && code[2] === 0x00 ? "delegated" : "contract";
}
