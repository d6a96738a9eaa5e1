import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ClassifyResponse } from "../../../../src/api/schemas/address-classify.ts";
import { classifications } from "../../../../src/service/address-classify/classification.ts";
import { classifierOver, STRICT_BUDGET_MS } from "../../../../src/service/address-classify/classify.ts";
import { proxyTypes } from "../../../../src/service/address-classify/proxy.ts";
import { type EvmNode, NodeUnavailableError } from "../../../../src/service/evm/node.ts";
import type { Verifier } from "../../../../src/service/evm/verifier.ts";
import { settled, VirtualClock } from "../../../fakes/virtual-clock.ts";

const address = "0xdAC17F958D2ee523a2206206994597C13D831ec7";

interface SlowNode extends EvmNode {
  heads: number;
}

/** A node that takes `headMs` to return its newest block. Every address has code, and no call is answered. */
function slowNode(clock: VirtualClock, headMs: number): SlowNode {
  return {
    heads: 0,
    chainId: "1",
    async head(signal) {
      this.heads++;
      await clock.sleep(headMs, signal);
      return 5n;
    },
    read: async (reads) => reads.map(({ of }) => (of === "code" ? new Uint8Array([0]) : new Uint8Array(32))),
    call: async (calls) => calls.map(() => ({ ok: false })),
    experiment: async (experiments) => experiments.map(() => ({ ok: false })),
    rehearse: async () => undefined,
    follow: async () => undefined,
    touched: async () => undefined,
  };
}

function classifierOn(headMs: number, verifier?: Verifier) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const node = slowNode(clock, headMs);
  const nodes = { find: (chainId: string) => (chainId === "1" ? node : undefined) };
  const classify = classifierOver({ nodes, clock, ...(verifier === undefined ? {} : { verifier }) });
  return { clock, node, ask: (strict: boolean, chain_id = "1") => classify({ chain_id, address, strict }) };
}

const unverified = {
  address: `1:${address.toLowerCase()}`,
  address_type: "Contract",
  classification: "Unverified",
  classification_id: 11,
  details: { is_verified: false, proxy_impl_address: "", proxy_impl_type: "" },
  is_erc20: "0",
  status: 1,
  verify_status: "unknown",
};

describe("a strict classification", () => {
  test("the strict budget is 300 ms", () => expect(STRICT_BUDGET_MS).toBe(300));

  test("a classification within the budget is answered, with the time of the answer", async () => {
    const { clock, ask } = classifierOn(299);

    const { body, ok } = Object(await clock.runUntil(ask(true)));

    const times = { scanned_time: 1_767_225_600, timestamp: "2026-01-01T00:00:00.299Z" };
    expect([ok, body]).toEqual([true, { code: "0", status: "ok", data: { ...unverified, ...times } }]);
    expect(ClassifyResponse.safeParse(body).success).toBe(true);
  });

  test("a classification over the budget is answered notok without data when the budget ends, not before", async () => {
    const { clock, ask } = classifierOn(301);
    let answered: unknown;
    void ask(true).then((answer) => {
      answered = answer;
    });

    await clock.advance(299);
    expect(answered).toBeUndefined();
    await clock.advance(1);
    expect(answered).toEqual({ ok: true, body: { code: "0", status: "notok" } });
  });

  test("the classification continues after the budget, and a later request without strict gets its result", async () => {
    const { clock, node, ask } = classifierOn(1_000);
    expect(Object(await clock.runUntil(ask(true))).body.status).toBe("notok");

    const again = ask(false);
    const body = Object(await clock.runUntil(again)).body;

    expect([body.data.timestamp, node.heads]).toEqual(["2026-01-01T00:00:01.000Z", 1]);
  });

  test("no sleep is left over after the answer", async () => {
    const { clock, ask } = classifierOn(10);
    await clock.runUntil(ask(true));
    await settled();

    expect(clock.sleeping).toBe(0);
  });
});

test("without strict, a classification fails after nine seconds, and no answer is made up", async () => {
  const { clock, ask } = classifierOn(60_000);
  const asked = ask(false).catch((thrown: unknown) => thrown);

  await clock.advance(8_999);
  expect(clock.sleeping).toBeGreaterThan(0);
  await clock.advance(1);

  expect(await asked).toEqual(new NodeUnavailableError("no classification within 9000 ms"));
});

test("a strict classification fails when its nodes fail, and a later request asks the nodes again", async () => {
  const { node, ask } = classifierOn(0);
  const down = new NodeUnavailableError("no endpoint of chain 1 answers");
  node.head = async () => {
    throw down;
  };

  await expect(ask(true)).rejects.toBe(down);
  await expect(ask(false)).rejects.toBe(down);
});

test("concurrent requests for the same address share one classification", async () => {
  const { clock, node, ask } = classifierOn(5);

  const answers = await clock.runUntil(Promise.all([ask(false), ask(true), ask(false, "eth")]));

  expect([answers.length, node.heads]).toEqual([3, 1]);
});

test("a slow register counts against the budget", async () => {
  const clock = new VirtualClock();
  const register: Verifier = {
    async verificationOf(_chain, _address, signal) {
      await clock.sleep(400, signal);
      return "verified";
    },
  };
  const nodes = { find: () => slowNode(clock, 0) };
  const classify = classifierOver({ nodes, clock, verifier: register });

  expect(Object(await clock.runUntil(classify({ chain_id: "1", address, strict: true }))).body.status).toBe("notok");
});

describe("chains of classification", () => {
  const of = async (chain_id: string, ids: readonly string[]) => {
    const clock = new VirtualClock();
    const nodes = { find: (id: string) => (ids.includes(id) ? slowNode(clock, 0) : undefined) };
    const answer = await clock.runUntil(classifierOver({ nodes, clock })({ chain_id, address, strict: false }));
    return answer.ok ? "ok" : answer.detail;
  };

  test.each([
    ["1", ["1"]],
    ["eth", ["1"]],
    ["31337", ["31337"]],
    ["99999999999", ["99999999999"]],
  ])("chain %s is supported when it is configured", async (chainId, ids) => expect(await of(chainId, ids)).toBe("ok"));

  test.each([
    ["1", ["56"]],
    ["tron", ["tron"]],
    ["728126428", ["728126428"]],
    ["solana", ["1"]],
    ["31337", ["1"]],
  ])("chain %s is unsupported", async (chainId, ids) => {
    expect(await of(chainId, ids)).toBe(`unsupported chainId: ${chainId}`);
  });
});

test("docs/classification.md lists every label with its number, and every type of proxy", () => {
  const page = readFileSync("docs/classification.md", "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\d+) \| (\w+) \|/gm)].map(([, label, id, family]) => [
    label,
    id,
    family,
  ]);

  expect(rows).toEqual(Object.entries(classifications).map(([label, { id, family }]) => [label, String(id), family]));
  expect([...page.matchAll(/^\| `([A-Z][^`]+)` \| (?!\d)/gm)].map(([, type]) => type)).toEqual([...proxyTypes]);
});
