import { lookup } from "node:dns";
import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { readEnv } from "../../../../src/cli/config/config.ts";
import { NodesEnv } from "../../../../src/cli/config/env/nodes-env.ts";
import { checkNodes } from "../../../../src/cli/doctor/check-nodes.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { answering, deadUrl, listen, type Received, sendJson } from "../../../support/http-server.ts";

const never = new AbortController().signal;
const MAINNET = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";
const DEVNET = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG";
const TRON = "00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc";

/** Every check, with hosts written as A, B, ... in the order of `urls`; answers take 12 ms. */
async function checksOf(env: Record<string, string>, urls: readonly string[] = [], signal = never) {
  const clock = new FakeClock();
  const ticking = { now: () => clock.now(), ticks: () => (ticks += 12) };
  let ticks = 0;
  const checks = await checkNodes(readEnv(NodesEnv, env), { clock: ticking, lookup }, signal);
  const text = urls.reduce(
    (json, url, i) => json.replaceAll(new URL(url).host, "ABC".charAt(i)),
    JSON.stringify(checks),
  );
  return JSON.parse(text);
}

/** A JSON-RPC node that returns `member` for every request. */
const rpc = (member: object, received: Received[] = []): RequestListener =>
  answering(({ body }, response) => sendJson(response, 200, { id: JSON.parse(body).id, ...member }), received);

const isRefused = { code: -32000, message: "hunter2-hunter2 is no key" };

test("without configured nodes there are no lines", async () => {
  expect(await checksOf({})).toEqual([]);
});

describe("a node of an EVM chain", () => {
  const envOf = (urls: Readonly<Record<string, unknown>>) => ({ EVM_RPC_URLS: JSON.stringify(urls) });

  test("reports the configured chain, or fails, and its URL is not shown", async () => {
    const received: Received[] = [];
    const [good, stranger] = [
      await listen(rpc({ result: "0x1" }, received)),
      await listen(rpc({ result: "0x38" }, received)),
    ];
    const env = envOf({ eth: [`${good}/hunter2-hunter2`, `${stranger}/?key=hunter2-hunter2`] });

    expect(await checksOf(env, [good, stranger])).toEqual([
      {
        check: "node A (chain 1, 1) of EVM_RPC_URLS",
        ok: true,
        detail: expect.stringMatching(/^is of chain 1, answered in (12|24|36) ms$/),
        remedy: "",
      },
      {
        check: "node B (chain 1, 2) of EVM_RPC_URLS",
        ok: false,
        detail: expect.stringMatching(/^is of chain 56, answered in (12|24|36) ms$/),
        remedy: "name it under that chain in EVM_RPC_URLS",
      },
    ]);
    expect(received.map(({ body }) => body)).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
      '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
    ]);
  });

  test.each<[string, RequestListener, object]>([
    [
      "refuses the key",
      answering((_, response) => sendJson(response, 401, {})),
      { ok: false, detail: "answered 401", remedy: "check the key in EVM_RPC_URLS" },
    ],
    [
      "refuses, and says the key",
      rpc({ error: isRefused }),
      {
        ok: false,
        detail: "it refuses: -32000 [key] is no key",
        remedy: "see that the node runs and that EVM_RPC_URLS is right",
      },
    ],
    [
      "asks for a pause",
      answering((_, response) => sendJson(response, 429, {})),
      { ok: "warn", detail: "answered 429", remedy: "see what its operator lets the key ask" },
    ],
    [
      "tells no chain",
      rpc({ result: "mainnet" }),
      {
        ok: false,
        detail: "the answer has no number where a number belongs",
        remedy: "see that the node runs and that EVM_RPC_URLS is right",
      },
    ],
  ])("that %s", async (_what, listener, expected) => {
    const url = await listen(listener);

    expect(await checksOf(envOf({ "8453": `${url}/hunter2-hunter2` }), [url])).toEqual([
      { check: "node A (chain 8453, 1) of EVM_RPC_URLS", ...expected },
    ]);
  });

  test("without a server is named by its address alone", async () => {
    const url = await deadUrl();

    expect(await checksOf(envOf({ "1": `${url}/hunter2` }), [url])).toEqual([
      {
        check: "node A (chain 1, 1) of EVM_RPC_URLS",
        ok: false,
        detail: "no answer: ECONNREFUSED connect ECONNREFUSED A",
        remedy: "see that the node runs and that EVM_RPC_URLS is right",
      },
    ]);
  });

  test("without an answer is given up after its timeout", async () => {
    const url = await listen(() => {});

    expect(await checksOf({ ...envOf({ "1": url }), EVM_RPC_TIMEOUT: "50ms" }, [url])).toMatchObject([
      { ok: false, detail: "no answer: no answer within 50 ms" },
    ]);
  });
});

describe("a node of Solana", () => {
  const told = { check: "node A (1) of SOLANA_RPC_URL", ok: true, remedy: "" };

  test("reports its cluster by its first block", async () => {
    const received: Received[] = [];
    const url = await listen(rpc({ result: MAINNET }, received));

    expect(await checksOf({ SOLANA_RPC_URL: `${url}/hunter2` }, [url])).toEqual([
      { ...told, detail: "is of mainnet-beta, answered in 12 ms" },
    ]);
    expect(received.map(({ body }) => body)).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"getGenesisHash","params":[]}',
    ]);
  });

  test.each([
    [DEVNET, "is of devnet, answered in 12 ms"],
    ["2222", "is of a network that Weir does not know, answered in 12 ms"],
  ])("that reports %s may be intended", async (hash, detail) => {
    const url = await listen(rpc({ result: hash }));

    expect(await checksOf({ SOLANA_RPC_URL: url }, [url])).toEqual([
      { ...told, ok: "warn", detail, remedy: "see that it is meant, and not mainnet-beta" },
    ]);
  });

  test("of another cluster than the first node fails", async () => {
    const urls = [await deadUrl(), await listen(rpc({ result: MAINNET })), await listen(rpc({ result: DEVNET }))];

    expect(await checksOf({ SOLANA_RPC_URL: urls.join(",") }, urls)).toMatchObject([
      { ok: false, remedy: "see that the node runs and that SOLANA_RPC_URL is right" },
      { ok: true, detail: expect.stringMatching(/^is of mainnet-beta, answered/) },
      {
        check: "node C (3) of SOLANA_RPC_URL",
        ok: false,
        detail: expect.stringMatching(/^is of devnet, and the first is of another, answered/),
        remedy: "name nodes of one network",
      },
    ]);
  });

  test("that reports no block fails", async () => {
    const url = await listen(rpc({ result: 5 }));

    expect(await checksOf({ SOLANA_RPC_URL: url }, [url])).toMatchObject([
      { ok: false, detail: "its answer has no genesis hash" },
    ]);
  });
});

describe("a node of TRON", () => {
  const answer = (body: unknown, received: Received[] = []) =>
    answering((_, response) => sendJson(response, 200, body), received);

  test("reports its network by its first block, and gets the key", async () => {
    const received: Received[] = [];
    const url = await listen(answer({ blockID: TRON }, received));

    expect(await checksOf({ TRON_RPC_URL: url, TRON_RPC_API_KEY: "hunter2" }, [url])).toEqual([
      {
        check: "node A (1) of TRON_RPC_URL",
        ok: true,
        detail: "is of mainnet, answered in 12 ms",
        remedy: "",
      },
    ]);
    expect(received).toMatchObject([
      { url: "/wallet/getblockbynum", body: '{"num":0}', headers: { "tron-pro-api-key": "hunter2" } },
    ]);
  });

  test.each([
    [
      { blockID: `${"0".repeat(56)}cd8690dc` },
      {
        ok: "warn",
        detail: "is of Nile testnet, answered in 12 ms",
        remedy: "see that it is meant, and not mainnet",
      },
    ],
    [{}, { ok: false, detail: "its answer has no first block" }],
    [{ blockID: `1${TRON.slice(1)}` }, { ok: false, detail: "its answer has no first block" }],
  ])("with the first block %j is not taken for the main network", async (body, expected) => {
    const url = await listen(answer(body));

    expect(await checksOf({ TRON_RPC_URL: url }, [url])).toMatchObject([expected]);
  });

  test("that refuses the key fails with the setting of the key", async () => {
    const url = await listen(answering((_, response) => sendJson(response, 403, {})));

    expect(await checksOf({ TRON_RPC_URL: url, TRON_RPC_API_KEY: "hunter2" }, [url])).toMatchObject([
      { ok: false, detail: "answered 403", remedy: "check TRON_RPC_API_KEY or TRON_RPC_API_KEY_FILE" },
    ]);
  });
});

test("a wrong setting is a failed check, and the other checks still run", async () => {
  const url = await listen(rpc({ result: MAINNET }));
  const env = { SOLANA_RPC_URL: url, TRON_RPC_URL: "http://node.example", EVM_RPC_URLS: "https://a.example/hunter2" };

  expect(await checksOf(env, [url])).toEqual([
    expect.objectContaining({ check: "node A (1) of SOLANA_RPC_URL", ok: true }),
    {
      check: "nodes of TRON_RPC_URL",
      ok: false,
      detail:
        "TRON_RPC_URL is http, so the network can read the key and change the answers: use https, or set TRON_RPC_ALLOW_HTTP=true where that is meant",
      remedy: "",
    },
    {
      check: "nodes of EVM_RPC_URLS",
      ok: false,
      detail: 'EVM_RPC_URLS must be JSON of chain ids with a URL or a list of URLs: {"1": "https://..."}',
      remedy: "",
    },
  ]);
});

test("an aborted caller gets the reason", async () => {
  const url = await listen(() => {});
  const caller = new AbortController();
  const checking = checksOf({ SOLANA_RPC_URL: url }, [url], caller.signal);
  caller.abort(new Error("enough"));

  await expect(checking).rejects.toThrow(new Error("enough"));
});
