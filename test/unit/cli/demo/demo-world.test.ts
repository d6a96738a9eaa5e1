import { expect, test } from "vitest";
import { openDemoWorld } from "../../../../src/cli/demo/demo-world.ts";
import { bundled } from "../../../../src/cli/program/package-root.ts";
import { systemClock } from "../../../../src/kernel/clock.ts";

const open = (env: Readonly<Record<string, string>>) => openDemoWorld(env, systemClock, new AbortController().signal);

test("a configured service is used unchanged", async () => {
  const env = { SERVICE_URL: "https://service.example" };

  const world = await open(env);

  expect(world).toMatchObject({ env, parts: [["service", "that of SERVICE_URL"]], missing: [] });
});

test.each(["EVM_RPC_URLS", "EVM_RPC_URLS_FILE", "EVM_MARKETS_FILE"])(
  "%s is kept: no chain is started, and that is reported",
  async (name) => {
    const { env, parts, missing } = await open({ [name]: "mine" });

    expect(env).toEqual({
      [name]: "mine",
      LISTS_FILES: bundled.demoLists,
      LISTS_MAX_AGE: "99999d",
      SOLANA_SNAPSHOT: bundled.demoSolana,
    });
    expect(parts[0]).toEqual(["EVM", `no chain: ${name} is set, so the demo starts none of its own`]);
    expect(missing).toEqual([
      "Without the demo's own EVM chain nothing is known of the tokens and contracts of chain 13370.",
    ]);
  },
);

test("nodes of the other chains are kept, and named", async () => {
  const given = { EVM_RPC_URLS: "mine", SOLANA_RPC_URL: "a", TRON_RPC_URL: "b" };

  const { env, parts } = await open(given);

  expect(env).toEqual({ ...given, LISTS_FILES: bundled.demoLists, LISTS_MAX_AGE: "99999d" });
  expect(parts.slice(1)).toEqual([
    ["Solana", "that of SOLANA_RPC_URL"],
    ["TRON", "that of TRON_RPC_URL"],
  ]);
});

test("the local chain has all its transactions, and ends on close", async () => {
  const { env, parts, missing, close } = await open({});
  const { "13370": url } = JSON.parse(env["EVM_RPC_URLS"] ?? "{}");
  const headers = { "content-type": "application/json" };
  const ask = (method = "eth_chainId") =>
    fetch(url, { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [] }) });

  expect(await (await ask()).json()).toMatchObject({ result: "0x343a" });
  // The number of blocks that were requested, each with the transactions that fit.
  expect(await (await ask("eth_blockNumber")).json()).toMatchObject({ result: "0x2" });
  expect(env).toMatchObject({ EVM_MARKETS_FILE: bundled.demoMarkets, SOLANA_SNAPSHOT: bundled.demoSolana });
  expect(parts[0]?.[1]).toMatch(/^anvil at .+: 19 tokens and their pools, made by 113 transactions in [\d.]+ s$/);
  expect(missing).toEqual([]);

  await close();
  await expect(ask()).rejects.toThrow("fetch failed");
});
