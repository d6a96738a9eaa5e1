/** Every chain of viem's registry in an operator's setting, over real HTTP: one server answers for chain N at /N. */
import { lookup } from "node:dns";
import { decodeFunctionData, encodeFunctionResult, multicall3Abi } from "viem";
import * as definitions from "viem/chains";
import { expect, onTestFinished, test } from "vitest";
import { openEvmNodes } from "../../../../src/adapters/viem/open-evm-nodes.ts";
import { findChain } from "../../../../src/chains/registry.ts";
import { evmUrlsOf } from "../../../../src/cli/config/node-urls.ts";
import { systemClock } from "../../../../src/kernel/clock.ts";
import { quietLog } from "../../../../src/kernel/log.ts";
import { classifierOver } from "../../../../src/service/address-classify/classify.ts";
import { answering, listen, sendJson } from "../../../support/http-server.ts";

const TOKEN = `0x${"ab".repeat(20)}`;
/** The selectors of transfer, transferFrom, approve, totalSupply, balanceOf and allowance, as in a dispatcher. */
const CODE = `0x${["a9059cbb", "23b872dd", "095ea7b3", "18160ddd", "70a08231", "dd62ed3e"].map((s) => `63${s}`).join("")}`;
const TOKEN_ANSWERS = new Set(["0x18160ddd", "0x70a08231", "0xdd62ed3e"]);
const WORD = `0x${"7".padStart(64, "0")}` as const;

const known = new Map(Object.values(definitions).map((chain) => [String(chain.id), Object(chain)]));

/** A node with a token. On a chain with Multicall3, the address of Multicall3 is added to `seen`. */
function answerOf(chainId: string, { method, params }: { method: string; params: unknown[] }, seen: Set<string>) {
  if (method === "eth_chainId") return `0x${BigInt(chainId).toString(16)}`;
  if (method === "eth_blockNumber" || method === "eth_gasPrice") return "0x10";
  if (method === "eth_getCode") return CODE;
  if (method === "eth_getStorageAt") return `0x${"0".repeat(64)}`;
  if (method !== "eth_call") return "0x0";
  const { to, data } = Object(params[0]);
  if (to === TOKEN) return TOKEN_ANSWERS.has(data.slice(0, 10)) ? WORD : undefined;
  seen.add(to);
  const { args } = decodeFunctionData({ abi: multicall3Abi, data });
  const results = (args as unknown as [{ callData: string }[]])[0].map(({ callData }) => {
    const success = TOKEN_ANSWERS.has(callData.slice(0, 10));
    return { success, returnData: success ? WORD : ("0x" as const) };
  });
  return encodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", result: results });
}

const reverted = { error: { code: 3, message: "execution reverted" } };

test("every chain of viem's registry works with a URL, and TRON is refused, since it is no EVM chain here", async () => {
  const seen = new Map<string, Set<string>>();
  const rounds = new Map<string, number>();
  const server = await listen(
    answering(({ url, body }, response) => {
      const chainId = url.slice(1);
      const multicalls = seen.get(chainId) ?? new Set();
      seen.set(chainId, multicalls);
      rounds.set(chainId, (rounds.get(chainId) ?? 0) + 1);
      const reply = (request: { id: number; method: string; params: unknown[] }) => {
        const result = answerOf(chainId, request, multicalls);
        return { jsonrpc: "2.0", id: request.id, ...(result === undefined ? reverted : { result }) };
      };
      const asked = JSON.parse(body);
      sendJson(response, 200, Array.isArray(asked) ? asked.map(reply) : reply(asked));
    }),
  );
  const evm = [...known.keys()].filter((id) => findChain(id)?.family !== "tron");
  const urls = await evmUrlsOf({
    EVM_RPC_URLS: JSON.stringify(Object.fromEntries(evm.map((id) => [id, `${server}/${id}`]))),
    EVM_RPC_URLS_FILE: undefined,
    EVM_RPC_ALLOW_HTTP: false,
  });
  const options = { clock: systemClock, log: quietLog, lookup, concurrency: 8, timeoutMs: 10_000 };
  const nodes = openEvmNodes(urls, options);
  onTestFinished(() => nodes.close());
  const classify = classifierOver({ nodes, clock: systemClock });

  const labels = new Map<string, unknown>();
  for (const id of evm) {
    const answer = await classify({ chain_id: id, address: TOKEN, strict: false });
    labels.set(id, answer.ok && "data" in answer.body ? Object(answer.body.data).classification : answer);
  }

  expect(evm.length).toBeGreaterThan(600);
  expect(labels).toEqual(new Map(evm.map((id) => [id, "ERC20"])));
  // The newest block, the stored state, and the returned data: docs/classification.md, "Strict".
  expect(rounds.get("1")).toBe(3);
  const multicalls = new Map([...seen].map(([id, addresses]) => [id, [...addresses]]));
  const expected = (id: string) => known.get(id).contracts?.multicall3?.address?.toLowerCase();
  for (const [id, addresses] of multicalls) {
    const address = expected(id);
    if (address !== undefined) expect([id, addresses]).toEqual([id, [address]]);
  }
  await expect(
    evmUrlsOf({ EVM_RPC_URLS: `{"728126428": "${server}"}`, EVM_RPC_URLS_FILE: undefined, EVM_RPC_ALLOW_HTTP: false }),
  ).rejects.toThrow("EVM_RPC_URLS names 728126428, which is no EVM chain");
});
