import path from "node:path";
import { getTransferSolInstruction } from "@solana-program/system";
import { afterAll, expect, test } from "vitest";
import { SimulatorPool } from "../../../../../src/adapters/solana/simulator/simulator-pool.ts";
import { readMessageAlone } from "../../../../../src/chains/solana/message/message.ts";
import { systemClock } from "../../../../../src/kernel/clock.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";
import * as w from "../../../../fixtures/solana/world.ts";

const snapshot = { slot: w.SLOT, unixTimestamp: 0, accounts: w.world() };
const root = path.resolve(import.meta.dirname, "../../../../..");
const open = (threadFile: string, timeoutMs = 15_000) =>
  new SimulatorPool({
    threadFile: path.join(root, threadFile),
    snapshot,
    threads: 2,
    timeoutMs,
    clock: systemClock,
    log: new FakeLog(),
  });
const pool = open("src/cli/serve/simulator-thread.ts");
afterAll(() => pool.close());

function pay(amount: bigint) {
  const transfer = getTransferSolInstruction({ source: w.signing(w.user), destination: w.friend, amount });
  const message = readMessageAlone(w.messageBytes([transfer]));
  if (!message.ok) throw new Error(message.detail);
  return message.value;
}

test("many transactions over several threads return in order, each with the machine's own result", async () => {
  const messages = Array.from({ length: 20 }, (_, i) => pay(BigInt(i + 1) * 100_000_000n));
  const alone = await w.simulatorOver().simulate(messages, false);

  expect(await pool.simulate(messages, false)).toEqual(alone);
});

test("a sequence stays on one thread, and leaves no state behind", async () => {
  const messages = [pay(6_000_000_000n), pay(3_000_000_000n), pay(6_000_000_000n)];
  const alone = await w.simulatorOver().simulate(messages, true);

  expect(await pool.simulate(messages, true)).toEqual(alone);
  expect(await pool.simulate(messages, true)).toEqual(alone);
});

test("a thread that dies fails its jobs, and the pool still answers", async () => {
  const broken = open("test/fixtures/solana/dying-thread.ts");

  expect(await broken.simulate([pay(1n)], false)).toEqual({
    ok: false,
    failure: "badGateway",
    detail: "the simulator died",
  });
  expect(await broken.simulate([pay(1n)], false)).toMatchObject({ ok: false, failure: "badGateway" });
  await broken.close();
});

test("a hanging thread is given up, with its job", async () => {
  const stuck = open("test/fixtures/solana/hanging-thread.ts", 50);

  expect(await stuck.simulate([pay(1n)], false)).toEqual({
    ok: false,
    failure: "gatewayTimeout",
    detail: "the simulation took too long",
  });
  await stuck.close();
});

test("a full thread is replaced, and the next job goes to another one", async () => {
  const full = open("test/fixtures/solana/full-thread.ts");
  const answers = [await full.simulate([pay(1n)], false), await full.simulate([pay(1n)], false)];

  const details = answers.map((answer) => (answer.ok ? "" : answer.detail));
  expect(details).toEqual([expect.stringMatching(/^thread \d+$/), expect.stringMatching(/^thread \d+$/)]);
  expect(new Set(details).size).toBe(2);
  await full.close();
});

test("a closed pool accepts no job", async () => {
  const closed = open("src/cli/serve/simulator-thread.ts");
  await closed.close();

  expect(await closed.simulate([pay(1n)], false)).toMatchObject({ ok: false, failure: "badGateway" });
});
