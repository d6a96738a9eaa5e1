import fc from "fast-check";
import { expect, test } from "vitest";
import { askNodes } from "../../../../src/adapters/tron/ask-nodes.ts";
import { TronHttpNode } from "../../../../src/adapters/tron/tron-http-node.ts";
import { requestParser } from "../../../../src/api/requests/request.ts";
import {
  TransactionSecurityRequest,
  TransactionSecurityResponse,
} from "../../../../src/api/schemas/transaction-security.ts";
import type { CanonicalAddress } from "../../../../src/chains/address.ts";
import { tronHexOf } from "../../../../src/chains/tron/tron-address.ts";
import { analyseTransaction } from "../../../../src/service/tron-transactions/analyse-transaction.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import * as p from "../../../fixtures/tron/parts.ts";

const numRuns = Number(process.env["FC_RUNS"] ?? 400);
const parse = requestParser(TransactionSecurityRequest);

/** The node's answers in the ordinary case. */
const key = (address: CanonicalAddress) => ({ threshold: 1, keys: [{ address: tronHexOf(address), weight: 1 }] });
const account = (hex: string) => ({
  address: hex,
  balance: 50,
  owner_permission: key(p.user),
  active_permission: [{ ...key(p.user), type: "Active", id: 2, operations: p.USUAL }],
});
const wholesome: Readonly<Record<string, (body: { readonly [name: string]: unknown }) => unknown>> = {
  "/wallet/getaccount": ({ address }) => account(String(address)),
  "/wallet/getcontract": ({ value }) => ({ contract_address: value, bytecode: "00" }),
  "/wallet/getcontractinfo": ({ value }) => ({
    smart_contract: { contract_address: value },
    runtimecode: "63a9059cbb",
  }),
  "/wallet/getassetissuebyid": ({ value }) => ({ id: value, name: "53616d706c65", abbr: "534d50" }),
  "/wallet/triggerconstantcontract": () => ({
    result: { result: true },
    constant_result: [p.word(1)],
    logs: [
      {
        address: tronHexOf(p.usdt).slice(2),
        topics: [
          "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
          p.addressWord(p.user),
          p.addressWord(p.friend),
        ],
        data: p.word(5),
      },
    ],
    transaction: { ret: [{}] },
  }),
};

type Path = readonly string[];
const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom("", "0x1", "-1", "FAILED", "SUCESS", "T", "41", "zz", "\u0000", "9223372036854775808", "Contract"),
);

function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, [...at, name]))];
}

function replaced(value: unknown, [step, ...rest]: Path, by: unknown): unknown {
  if (step === undefined) return by;
  const copy: object = Array.isArray(value) ? [...value] : { ...(value as object) };
  Reflect.set(copy, step, replaced(Reflect.get(copy, step), rest, by));
  return copy;
}

/** The ordinary answers of the node, with a part of one of the four replaced. */
const spoilt = fc.constantFrom(...Object.keys(wholesome)).chain((path) => {
  const good = wholesome[path]?.({ address: tronHexOf(p.user), value: tronHexOf(p.usdt) });
  return fc.tuple(fc.constant(path), fc.constantFrom(...pathsOf(good)), junk);
});

const log = new FakeLog();
const transfer = p.call(p.usdt, p.transferOf(p.friend, 5));
const sent = p.tx("TransferAssetContract", { to_address: p.friend, amount: 5, asset_name: "31303032303030" });
const takeover = p.update({ owner: p.permission(1, [[p.thief, 1]]), actives: [p.ownActive] });

function nodeThat(spoils: readonly [path: string, at: Path, by: unknown]) {
  const [spoiltPath, at, by] = spoils;
  const post = async (path: string, body: unknown) => {
    const good = wholesome[path]?.(body as { readonly [name: string]: unknown });
    return path === spoiltPath ? replaced(good, at, by) : good;
  };
  return new TronHttpNode(askNodes([{ name: "node", post }], { clock: new FakeClock(), log }));
}

async function answered(transaction: unknown, node: TronHttpNode) {
  const request = parse({ tron_transactions: [transaction] });
  if (!request.ok) throw new Error(request.detail);
  return analyseTransaction(request.value, p.labels, node);
}

test("a spoilt answer of the node gives a valid verdict or none, and nothing is thrown", async () => {
  await fc.assert(
    fc.asyncProperty(spoilt, fc.constantFrom(transfer, sent, takeover), async (spoils, transaction) => {
      const answer = await answered(transaction, nodeThat(spoils));

      if (answer.ok) TransactionSecurityResponse.parse(answer.body);
      else expect(answer.failure).toBe("internal");
      // No answer of a node makes a takeover less severe.
      if (transaction === takeover)
        expect(answer).toMatchObject({ body: { data: { security: { recommended_action: "BLOCK" } } } });
    }),
    { numRuns },
  );
});

test("junk answers of the node give no verdict except a BLOCK", async () => {
  const endpoints = fc.constantFrom(...Object.keys(wholesome));
  await fc.assert(
    fc.asyncProperty(endpoints, fc.jsonValue({ maxDepth: 3 }), async (path, by) => {
      // An empty object means that no data exists, and is a valid answer.
      fc.pre(JSON.stringify(by) !== "{}");
      const node = nodeThat([path, [], by]);

      const asked = path === "/wallet/getassetissuebyid" ? sent : transfer;
      expect((await answered(asked, node)).ok).toBe(false);
    }),
    { numRuns },
  );
});
