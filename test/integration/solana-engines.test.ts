/**
 * `weir serve` with each configured engine, over HTTP: nodes, our own machines over accounts of nodes, and our own
 * machines over a snapshot file. The nodes are a JSON-RPC double over LiteSVM, which kit's client calls over real HTTP.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { SimulationResult, SolanaEmulateResponse } from "../../src/api/schemas/solana-emulate.ts";
import type { AccountState } from "../../src/chains/solana/accounts/account-state.ts";
import { stringifyWithBigInts } from "../../src/kernel/json.ts";
import { RpcNode } from "../fakes/solana/rpc-node.ts";
import { failing } from "../fixtures/solana/failing-vectors.ts";
import { nativeFailing, nativeSucceeding } from "../fixtures/solana/native-vectors.ts";
import { type Deltas, pay, succeeding, type Vector } from "../fixtures/solana/vectors.ts";
import * as w from "../fixtures/solana/world.ts";
import { emptyFolder } from "../support/folder.ts";
import { answering, deadUrl, listen, sendJson } from "../support/http-server.ts";
import { SERVICE_KEY, served } from "../support/served.ts";
import { messageOf, worldsOf } from "../support/solana-worlds.ts";
import { type Env, start } from "../support/weir.ts";

const TIME = 1_750_000_000;
const vectors = [...succeeding, ...nativeSucceeding, ...failing, ...nativeFailing];
/** Vectors with accounts of their own are only in test/unit/service/solana-transactions/engines.test.ts. */
const worlds = worldsOf(vectors).filter((world) => world.vectors.length > 3);

const open = async (env: Env) => (await served(env))["SERVICE_URL"] ?? "";
const nodeOver = (accounts: ReadonlyMap<string, AccountState>) =>
  new RpcNode({ accounts, slot: w.SLOT, unixTimestamp: TIME });

async function ask(url: string, sol_transactions: readonly object[], requested_items: object = {}) {
  const response = await fetch(`${url}/v2/svc/solana-emulate`, {
    method: "POST",
    headers: { "x-api-key": SERVICE_KEY, "content-type": "application/json" },
    body: JSON.stringify({ sol_transactions, requested_items }),
  });
  return { http: response.status, body: (await response.json()) as SolanaEmulateResponse };
}

/** One request per transaction. Each answer comes without the id of its request. */
async function answersOf(url: string, asked: readonly Vector[]): Promise<SimulationResult[]> {
  const answers: SimulationResult[] = [];
  for (const vector of asked) {
    const transaction = Buffer.from(w.wireOf(messageOf(vector))).toString("base64");
    const { http, body } = await ask(url, [{ transaction, name: vector.name }], { involved_address_risks: true });
    expect([http, body.data.results.length]).toEqual([200, 1]);
    answers.push(...body.data.results.map(({ request_id, ...rest }) => rest));
  }
  return answers;
}

function deltasOf({ balance_changes = [] }: SimulationResult): Deltas {
  return Object.fromEntries(
    balance_changes.map(({ token_address, change_list }) => [
      token_address,
      Object.fromEntries(change_list.map(({ address, delta_value }) => [address, BigInt(delta_value)])),
    ]),
  );
}

async function snapshotFile(accounts: ReadonlyMap<string, AccountState>): Promise<string> {
  const list = [...accounts].map(([pubkey, { lamports, owner, executable, data }]) => ({
    pubkey,
    account: { lamports, owner, executable, data: [Buffer.from(data).toString("base64"), "base64"], rentEpoch: 0 },
  }));
  const file = path.join(await emptyFolder(), "accounts.json");
  writeFileSync(file, stringifyWithBigInts({ slot: w.SLOT, unix_timestamp: TIME, accounts: list }));
  return file;
}

test("nearly all vectors share a few worlds", () => {
  expect(worlds.flatMap((world) => world.vectors).length).toBeGreaterThan(vectors.length * 0.85);
});

test.each(worlds.map((world, i) => ({ name: `world ${i}, ${world.vectors.length} vectors`, ...world })))(
  "$name: all three engines answer alike, and as the vectors say",
  { timeout: 180_000 },
  async ({ vectors: asked, accounts }) => {
    const rpc = await listen(nodeOver(accounts).listener);
    const [snapshot, node, local] = await Promise.all([
      snapshotFile(accounts).then((file) => open({ SOLANA_SNAPSHOT: file })),
      open({ SOLANA_RPC_URL: rpc }),
      open({ SOLANA_RPC_URL: rpc, SOLANA_ENGINE: "local" }),
    ]);

    const answers = await answersOf(snapshot, asked);

    expect(answers.map(({ name, error }) => [name, error])).toEqual(
      asked.map(({ name, expected }) => [name, typeof expected === "string" ? expected : null]),
    );
    expect(answers.map(deltasOf)).toEqual(asked.map(({ expected }) => (typeof expected === "string" ? {} : expected)));
    expect(await answersOf(node, asked)).toEqual(answers);
    expect(await answersOf(local, asked)).toEqual(answers);
  },
);

const items = [6_000_000_000n, 3_000_000_000n, 6_000_000_000n].map((amount) => w.serialized([pay(amount)]));

test.each(["node", "local"])("the engine %s continues with the next node, also in a sequence", async (engine) => {
  const [down, failingNode] = [await deadUrl(), await listen(answering((_, reply) => sendJson(reply, 503, {})))];
  const rpc = await listen(nodeOver(w.world()).listener);
  const url = await open({ SOLANA_RPC_URL: [down, failingNode, rpc].join(), SOLANA_ENGINE: engine });

  const alone = await ask(url, items);
  const together = await ask(url, items, { sequence: true });

  expect([alone.http, together.http]).toEqual([200, 200]);
  expect(alone.body.data.results.map(({ error }) => error)).toEqual([null, null, null]);
  expect(together.body.data.results.map(({ error }) => error)).toEqual([null, null, "InstructionError(0, Custom(1))"]);
});

test.each([
  ["node", "502 where no node answers", () => deadUrl(), 502, "bad gateway"],
  ["local", "502 where no node answers", () => deadUrl(), 502, "bad gateway"],
  ["node", "504 where none answers in time", () => listen(() => {}), 504, "gateway timeout"],
  ["local", "504 where none answers in time", () => listen(() => {}), 504, "gateway timeout"],
])("the engine %s answers %s", async (engine, _what, nodeUrl, http, status) => {
  const url = await open({ SOLANA_RPC_URL: await nodeUrl(), SOLANA_ENGINE: engine, SOLANA_RPC_TIMEOUT: "1s" });

  expect(await ask(url, items.slice(0, 1))).toMatchObject({ http, body: { code: "-2", status } });
});

test("nodes and a snapshot at once are refused, and the message names both settings", async () => {
  const running = start(["serve"], {
    SERVICE_API_KEYS: SERVICE_KEY,
    PORT: "0",
    SOLANA_RPC_URL: "http://127.0.0.1:1",
    SOLANA_SNAPSHOT: await snapshotFile(w.world()),
  });
  const { status, stderr } = await running.ended;

  expect(status).toBe(1);
  expect(stderr).toContain("SOLANA_RPC_URL and SOLANA_SNAPSHOT are both set");
});

test("without nodes and without a snapshot the chain is unsupported", async () => {
  const url = await open({});

  expect(await ask(url, items)).toMatchObject({
    http: 400,
    body: { code: "-1", detail: "unsupported chainId: solana" },
  });
});

test("prices come from the configured file", async () => {
  const prices = path.join(await emptyFolder(), "prices.json");
  writeFileSync(prices, JSON.stringify({ native: { price: "142.5", as_of: new Date().toISOString() } }));
  const accounts = await snapshotFile(w.world());
  const url = await open({ SOLANA_SNAPSHOT: accounts, SOLANA_PRICES_FILE: prices });

  const { body } = await ask(url, [w.serialized([pay(2_000_000_000n)])]);

  expect(body.data.results[0]?.balance_changes?.[0]).toMatchObject({
    tokenPriceUSD: "142.5",
    change_list: [{ value_usd: "-285.0007125" }, { value_usd: "285" }],
  });
});

test("an invalid file of prices stops the start", async () => {
  const prices = path.join(await emptyFolder(), "prices.json");
  writeFileSync(prices, "[]");
  const running = start(["serve"], { SERVICE_API_KEYS: SERVICE_KEY, PORT: "0", SOLANA_PRICES_FILE: prices });
  const { status, stderr } = await running.ended;

  expect([status, stderr]).toEqual([1, expect.stringContaining(`SOLANA_PRICES_FILE: ${prices}: must be an object`)]);
});
