/** Whole EVM events, from the record to the verdict, with a service that executes them on a real chain: anvil. */
import { lookup } from "node:dns";
import { expect, onTestFinished, test } from "vitest";
import { openEvmNodes } from "../../src/adapters/viem/open-evm-nodes.ts";
import { redecide } from "../../src/cli/audit/redecide.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { quietLog } from "../../src/kernel/log.ts";
import { Secret } from "../../src/kernel/secret.ts";
import type { Verdict } from "../../src/messages/verdict.ts";
import { defaultPolicy } from "../fakes/events.ts";
import { FakeSink, recordOf } from "../fakes/records.ts";
import { workerFor } from "../fakes/worker.ts";
import { friend, imitationOf, labels, router } from "../fixtures/evm-people.ts";
import { shippedBook } from "../support/address-book.ts";
import { labelOf } from "../support/book-of.ts";
import { at, call, me, startDrainWorld } from "../support/drain-world.ts";
import { deadUrl } from "../support/http-server.ts";
import { inProcessService } from "../support/in-process-service.ts";
import { screenRecord } from "../support/screen-record.ts";
import { lineOf } from "../support/verdicts.ts";

const { Gold, Chatty, Careless, Pictures, Sly, Taker } = at;
const event = (id: string, transaction: object, more: object = {}) =>
  JSON.stringify({ id, type: "transaction", chain_id: "1", transaction: { from: me, ...transaction }, ...more });
const asked = { checks: ["evm-security"] };

const events: readonly (readonly [decision: string, event: string])[] = [
  ["ALLOW", event("payment", { to: friend, value: "5" }, asked)],
  ["ALLOW", event("tokens", call(Gold, "transfer", [friend, 10n]), asked)],
  ["ALLOW", event("approval-of-a-router", call(Gold, "approve", [router, 10n]), { user_addresses: [router] })],
  ["WARN", event("approval-of-a-contract", call(Gold, "approve", [Taker, 10n]))],
  ["WARN", event("payment-that-fails", { to: friend, value: String(10n ** 30n) }, asked)],
  ["BLOCK", event("approval-of-a-wallet", call(Gold, "approve", [friend, 10n]))],
  [
    "BLOCK",
    event(
      "claim-that-takes-all",
      call(Taker, "claimAll", [
        [Gold, Chatty],
        [900n, 1_000n],
      ]),
    ),
  ],
  ["BLOCK", event("claim-that-gives-rights", call(Careless, "update"))],
  ["BLOCK", event("token-that-takes-another", call(Sly, "transfer", [friend, 10n]), asked)],
  ["BLOCK", event("imitated-friend", { to: imitationOf(friend), value: "1" }, { ...asked, user_addresses: [friend] })],
  [
    "BLOCK",
    event("delegation", { ...call(me, "claimItem", [Pictures, 5n]), authorization_list: [{ address: Taker }] }),
  ],
  ["UNKNOWN", event("claim-that-takes-an-item", call(Taker, "claimItem", [Pictures, 5n]))],
  ["UNKNOWN", event("claim-that-fails", call(Taker, "fail", ["not today"]))],
  ["UNKNOWN", event("creation", { data: "0x6080" })],
];

async function verdictsOn(url: string): Promise<readonly Verdict[]> {
  const options = { clock: systemClock, log: quietLog, lookup, concurrency: 4, timeoutMs: 5_000 };
  const nodes = openEvmNodes(new Map([["1", [new Secret(url)]]]), options);
  onTestFinished(nodes.close);
  const sink = new FakeSink();
  const service = inProcessService(labels, undefined, { evm: { nodes, clock: systemClock } });
  const worker = workerFor(service, {
    sink,
    policyFor: () => defaultPolicy,
    software: "weir/golden",
    lists: { book: shippedBook(labelOf("1", Gold, "token", "GOLD")) },
  });
  // The events follow each other, so there is nothing to wait for.
  worker.pool.expectMore(false);
  for (const [i, [, text]] of events.entries()) await screenRecord(recordOf(text, i + 1), worker);
  return sink.verdicts.toSorted((a, b) => lineOf(a) - lineOf(b));
}

test("executed EVM events get the checked-in verdicts, and an audit decides the same", async () => {
  const anvil = await startDrainWorld();
  onTestFinished(anvil.stop);

  const said = await verdictsOn(anvil.url);

  expect(said.map(({ event_id, decision }) => `${event_id} ${decision}`)).toEqual(
    events.map(([decision, text]) => `${(JSON.parse(text) as { id: string }).id} ${decision}`),
  );
  expect(said.map((verdict) => redecide(verdict, [() => defaultPolicy]))).toEqual(
    said.map(({ decision }) => ({ decision, missing: [] })),
  );
  await expect(`${JSON.stringify(said, undefined, 2)}\n`).toMatchFileSnapshot("../golden/evm-run-verdicts.json");
});

test("without the configured node, no event that needs an execution is allowed", async () => {
  const said = await verdictsOn(await deadUrl());

  const decisions = said.filter(({ checks }) => checks.some(({ check }) => check === "evm-security"));
  expect(decisions).toHaveLength(13);
  expect(new Set(decisions.map(({ decision }) => decision))).toEqual(new Set(["UNKNOWN", "BLOCK"]));
});
