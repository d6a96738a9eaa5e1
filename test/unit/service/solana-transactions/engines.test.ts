/**
 * The same transactions run through each engine: nodes (over real HTTP and kit's client), our own machine over accounts
 * of nodes, and our own machine over a snapshot. Each engine must give the result of the vector, and all answers must
 * be equal.
 */
import { isSignerRole } from "@solana/kit";
import { expect, test } from "vitest";
import type { SolanaEmulateResponse } from "../../../../src/api/schemas/solana-emulate.ts";
import { LabelBook } from "../../../../src/service/labels/label-book.ts";
import { operationsOver } from "../../../../src/service/operations.ts";
import type { Simulator } from "../../../../src/service/solana-transactions/simulator.ts";
import { RpcNode } from "../../../fakes/solana/rpc-node.ts";
import { failing } from "../../../fixtures/solana/failing-vectors.ts";
import { nativeFailing, nativeSucceeding } from "../../../fixtures/solana/native-vectors.ts";
import { saying } from "../../../fixtures/solana/own-program.ts";
import {
  type Deltas,
  memo,
  pay,
  raw,
  sign,
  succeeding,
  tableAccount,
  u64,
  upgradeable,
  type Vector,
} from "../../../fixtures/solana/vectors.ts";
import * as w from "../../../fixtures/solana/world.ts";
import { listen } from "../../../support/http-server.ts";
import { call, service } from "../../../support/service.ts";
import { enginesOver, machineHere } from "../../../support/solana-engines.ts";

const labels = LabelBook.of([]);
const formTable = w.named(100);
/** One machine for all vectors, so that a vector with leftovers would change the next one. */
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

/** A vector without a stated form of its message must give the same result in the other forms. */
const inOtherForms = [...succeeding, ...nativeSucceeding].flatMap((vector) => {
  if (vector.form !== undefined || vector.message !== undefined) return [];
  const named = vector.instructions.flatMap(({ accounts = [] }) => accounts);
  const signing = new Set(named.flatMap(({ address, role }) => (isSignerRole(role) ? address : [])));
  const others = [...new Set(named.map(({ address }) => address))].filter((each) => !signing.has(each));
  const legacy = { ...vector, name: `legacy: ${vector.name}`, form: { version: "legacy" as const } };
  if (others.length === 0) return [legacy];
  const accounts = [...(vector.accounts ?? []), [formTable, tableAccount(others)] as const];
  return [
    legacy,
    { ...vector, name: `by a table: ${vector.name}`, accounts, form: { tables: { [formTable]: others } } },
  ];
});

test.each([...succeeding, ...nativeSucceeding, ...inOtherForms, ...failing, ...nativeFailing])(
  "all engines answer alike: $name",
  async (vector) => {
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
  },
);

test("a program that is upgraded, closed or broken meanwhile runs in its latest state", async () => {
  const [program, code] = [w.named(82), w.named(83)];
  const accounts = w.world(upgradeable(program, code, memo));
  const node = new RpcNode({ accounts, slot: w.SLOT, unixTimestamp: 1_750_000_000 });
  const engines = enginesOver([await listen(node.listener)], machine);
  const vector = { name: "", instructions: [raw(program, [104, 105], [sign(w.user)])], expected: "" };
  const errorAfter = async (change: () => void) => {
    change();
    // Accounts are cached for the time of a slot.
    await new Promise((resolve) => setTimeout(resolve, 450));
    return (await answerOf(engines.local, vector)).results[0]?.error;
  };
  const replace = (bytes: Uint8Array) => () => {
    for (const [address, account] of upgradeable(program, code, bytes).reverse()) node.set(address, account);
  };
  const gone = "InstructionError(0, UnsupportedProgramId)";

  expect(await errorAfter(() => {})).toBeNull();
  expect(await errorAfter(() => node.set(code, undefined))).toBe(gone);
  expect(await errorAfter(replace(memo))).toBeNull();
  node.goOn(-1_000);
  expect(await errorAfter(() => {})).toBeNull();
  expect(await errorAfter(() => node.set(program, w.wallet(1_000_000_000n)))).toBe("InvalidProgramForExecution");
  expect(await errorAfter(replace(memo))).toBeNull();
  await engines.close();
});

test("a program that is upgraded between two answers of a node runs with the accounts of its slot, or not at all", async () => {
  const [program, code] = [w.named(82), w.named(83)];
  const upgraded = (slot: number, bytes: Uint8Array) =>
    upgradeable(program, code, bytes).map(([address, account]) => {
      const data = account.data.slice();
      if (!account.executable) data.set(u64(BigInt(slot)), 4);
      return [address, { ...account, data }] as const;
    });
  let onAnswer = (_node: RpcNode) => {};
  const node = new RpcNode({
    accounts: w.world(upgraded(w.SLOT - 1, memo)),
    slot: w.SLOT,
    unixTimestamp: 1_750_000_000,
    onCall: (_method, asked) => void onAnswer(asked),
  });
  const engines = enginesOver([await listen(node.listener)]);
  const vector = { name: "", instructions: [pay(7n), raw(program, [104, 105], [sign(w.user)])], expected: "" };
  const ask = () => answerOf(engines.local, vector);
  expect((await ask()).results).toMatchObject([{ error: null, block_height: w.SLOT }]);

  let answers = 0;
  onAnswer = (asked) => {
    answers++;
    if (answers !== 2) return;
    asked.goOn();
    asked.set(w.user, w.wallet(1_000_000_000n));
    for (const [address, account] of upgraded(w.SLOT + 1, saying(99n << 32n)).reverse()) asked.set(address, account);
  };
  await new Promise((resolve) => setTimeout(resolve, 450));
  const { results } = await ask();
  expect(results).toMatchObject([{ error: "InstructionError(1, InvalidError)", block_height: w.SLOT + 1 }]);

  onAnswer = (asked) => asked.goOn();
  await new Promise((resolve) => setTimeout(resolve, 450));
  const app = service({
    operations: operationsOver({ labels: () => labels, solana: { simulator: engines.local, requestId } }),
  });
  const request = { sol_transactions: [w.serialized(vector.instructions)], requested_items: {} };
  expect((await call(app, "solanaEmulate", request)).http).toBe(502);
  await engines.close();
});

test("a sequence runs on our own machine, whatever engine is configured", async () => {
  const node = new RpcNode({ accounts: w.world(), slot: w.SLOT, unixTimestamp: 1_750_000_000 });
  const engines = enginesOver([await listen(node.listener)], machine);
  const items = [6_000_000_000n, 3_000_000_000n, 6_000_000_000n].map((amount) => w.serialized([pay(amount)]));
  const ask = async (simulator: Simulator) => {
    const app = service({ operations: operationsOver({ labels: () => labels, solana: { simulator, requestId } }) });
    const { http, body } = await call(app, "solanaEmulate", {
      sol_transactions: items,
      requested_items: { sequence: true },
    });
    return { http, body };
  };

  const [asNode, asLocal, asSnapshot] = [
    await ask(engines.node),
    await ask(engines.local),
    await ask(w.simulatorOver()),
  ];

  expect(asNode).toMatchObject({
    http: 200,
    body: { data: { results: [{ error: null }, { error: null }, { error: "InstructionError(0, Custom(1))" }] } },
  });
  expect([asLocal, asNode]).toEqual([asSnapshot, asSnapshot]);
  expect(node.calls.map(({ method }) => method)).not.toContain("simulateTransaction");
  await engines.close();
});
