import { lookup } from "node:dns";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { type Anvil, startAnvil } from "../../adapters/anvil/start-anvil.ts";
import { openRpcEndpoint, type RpcAnswer } from "../../adapters/http/client/json-rpc-endpoint.ts";
import { nodeUrl } from "../../adapters/http/connection/node-url.ts";
import type { Clock } from "../../kernel/clock.ts";
import { toError } from "../../kernel/errors.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";
import { bundled } from "../program/package-root.ts";

/** The running EVM chain of the demo. */
export interface DemoChain {
  readonly url: string;
  readonly tokens: number;
  readonly transactions: number;
  stop(): Promise<void>;
}

/** The chain id of Cannon, a development tool. Its number is registered, and it is no public network. */
export const DEMO_CHAIN_ID = "13370";

/** demo/chain.json, which tools/make/make-demo-chain.mjs writes. */
const ChainFile = z.object({
  chain_id: z.literal(DEMO_CHAIN_ID),
  from: z.string(),
  tokens: z.record(z.string(), z.string()),
  steps: z.array(
    z.object({
      what: z.string(),
      to: z.string().optional(),
      data: z.string(),
      value: z.string().optional(),
      /** Address of the contract that the transaction deploys. */
      creates: z.string().optional(),
    }),
  ),
});
type ChainFile = z.infer<typeof ChainFile>;

const Receipt = z.object({ status: z.string(), contractAddress: z.string().nullish() });

const hex = (number: number) => `0x${number.toString(16)}`;
/** More gas than any of the transactions needs. */
const GAS = hex(5_000_000);
const TIMEOUT_MS = 10_000;
/** Far more blocks than the transactions need, which fit in a few. */
const MAX_BLOCKS = 50;

/** Starts the chain and creates its content. After a failure, nothing of the chain runs. */
export async function startDemoChain(clock: Clock, signal: AbortSignal): Promise<Result<DemoChain>> {
  const chain = ChainFile.parse(JSON.parse(await readFile(bundled.demoChain, "utf8")));
  const anvil = await startAnvil({ chainId: DEMO_CHAIN_ID, clock });
  if (!anvil.ok) return anvil;
  const wrong = await makeChain(anvil.value, chain, clock, signal).catch((thrown: unknown) => toError(thrown).message);
  if (wrong !== undefined) {
    await anvil.value.stop();
    signal.throwIfAborted();
    return fail(`anvil runs, but the chain could not be made: ${wrong}`);
  }
  return ok({ ...anvil.value, tokens: Object.keys(chain.tokens).length, transactions: chain.steps.length });
}

/** Sends the transactions with their nonces, which fix their order, and checks the result of each. */
async function makeChain(
  { url }: Anvil,
  { from, steps }: ChainFile,
  clock: Clock,
  signal: AbortSignal,
): Promise<string | undefined> {
  const node = openRpcEndpoint({
    name: "anvil",
    setting: "EVM_RPC_URLS",
    url: nodeUrl("EVM_RPC_URLS", url, { allowHttp: false }),
    clock,
    lookup,
    timeoutMs: TIMEOUT_MS,
    concurrency: 1,
  });
  try {
    const sent = await node.ask(
      steps.map(({ to, data, value = "0x0" }, i) => ({
        method: "eth_sendTransaction",
        params: [{ from, ...(to === undefined ? {} : { to }), data, value, nonce: hex(i), gas: GAS }],
      })),
      signal,
    );
    const hashes = sent.map(resultIn);
    const asked = hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] }));
    for (let block = 0; block < MAX_BLOCKS; block++) {
      (await node.ask([{ method: "evm_mine", params: [] }], signal)).map(resultIn);
      const receipts = (await node.ask(asked, signal)).map(resultIn);
      if (!receipts.includes(null)) return steps.map((step, i) => wrongIn(step, receipts[i])).find(Boolean);
    }
    return "its transactions are in no block";
  } finally {
    await node.close();
  }
}

/** @throws {Error} with the answer of the chain. */
function resultIn(answer: RpcAnswer): unknown {
  if ("failure" in answer) throw new Error(answer.failure.message);
  return answer.result;
}

function wrongIn({ what, creates }: ChainFile["steps"][number], told: unknown): string | undefined {
  const receipt = Receipt.safeParse(told);
  if (!receipt.success || receipt.data.status !== "0x1") return `the transaction that ${what} failed`;
  const isThere = creates === undefined || receipt.data.contractAddress?.toLowerCase() === creates;
  return isThere ? undefined : `what ${what} stands at another address`;
}
