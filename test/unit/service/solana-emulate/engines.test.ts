/**
 * The same transactions through each engine: (a) nodes, over real HTTP and kit's client; (b) our own machine over accounts
 * read from nodes; (c) our own machine over a snapshot. Each must do what the vector says, and all must answer alike.
 */
import { expect, test } from "vitest";
import type { SolanaEmulateResponse } from "../../../../src/contract/solana-emulate.ts";
import { LabelBook } from "../../../../src/service/labels/label-book.ts";
import { operationsOver } from "../../../../src/service/operations.ts";
import type { Simulator } from "../../../../src/service/solana-emulate/simulator.ts";
import { RpcNode } from "../../../fakes/solana/rpc-node.ts";
import { failing } from "../../../fixtures/solana/failing-vectors.ts";
import { type Deltas, succeeding, type Vector } from "../../../fixtures/solana/vectors.ts";
import * as w from "../../../fixtures/solana/world.ts";
import { listen } from "../../../support/http-server.ts";
import { call, service } from "../../../support/service.ts";
import { enginesOver, machineHere } from "../../../support/solana-engines.ts";

const labels = LabelBook.of([]);
/** One for all vectors: what one leaves behind shows in the next. */
const machine = machineHere();
const requestId = () => "00000000-0000-4000-8000-000000000000";

async function answerOf(simulator: Simulator, vector: Vector) {
  const app = service({ operations: operationsOver({ labels: () => labels, solana: { simulator, requestId } }) });
  const message = vector.message ?? w.messageBytes(vector.instructions, vector.form);
  const transaction = Buffer.from(w.wireOf(message)).toString("base64");
  const requested_items = { involved_address_risks: true };
  const { http, body } = await call(app, "solanaEmulate", { sol_transactions: [{ transaction }], requested_items });
  expect([http, body]).toMatchObject([200, { code: "0" }]);
  return (body as SolanaEmulateResponse).data;
}

function deltasOf(results: SolanaEmulateResponse["data"]["results"]): Deltas {
  const changes = results.flatMap(({ balance_changes = [] }) => balance_changes);
  return Object.fromEntries(
    changes.map(({ token_address, change_list }) => [
      token_address,
      Object.fromEntries(change_list.map(({ address, delta_value }) => [address, BigInt(delta_value)])),
    ]),
  );
}

test.each([...succeeding, ...failing])("$name", async (vector) => {
  const accounts = w.world(vector.accounts);
  const node = new RpcNode({ accounts, slot: w.SLOT, unixTimestamp: 1_750_000_000 });
  const engines = enginesOver([await listen(node.listener)], machine);

  const snapshot = await answerOf(w.simulatorOver(accounts), vector);
  const [result] = snapshot.results;
  if (typeof vector.expected === "string") expect(result?.error).toBe(vector.expected);
  else {
    expect(result?.error).toBeNull();
    expect(deltasOf(snapshot.results)).toEqual(vector.expected);
    if (vector.called !== undefined) expect(result?.called_addresses).toEqual(vector.called);
  }
  expect(await answerOf(engines.node, vector)).toEqual(snapshot);
  node.tellsBalances = true;
  for (const simulator of [engines.node, engines.local, engines.local]) {
    expect(await answerOf(simulator, vector)).toEqual(snapshot);
  }
  expect(engines.failures).toEqual([]);
  await engines.close();
});
