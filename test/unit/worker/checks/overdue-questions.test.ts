import { describe, expect, test } from "vitest";
import { programs } from "../../../../src/chains/solana/programs.ts";
import { UnavailableError } from "../../../../src/worker/answers/service-errors.ts";
import { defaultPolicy } from "../../../fakes/events.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { FakeSink, recordOf } from "../../../fakes/records.ts";
import { settled, VirtualClock } from "../../../fakes/virtual-clock.ts";
import { workerFor } from "../../../fakes/worker.ts";
import { me, stranger, token } from "../../../fixtures/evm-people.ts";
import { friend, user } from "../../../fixtures/solana/world.ts";
import { calldata } from "../../../support/evm-calls.ts";
import { screenRecord } from "../../../support/screen-record.ts";

const transfer = {
  programId: programs.system,
  keys: [
    { pubkey: user, isSigner: true, isWritable: true },
    { pubkey: friend, isSigner: false, isWritable: true },
  ],
  data: Buffer.from([2, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]).toString("base64"),
};
const events = {
  address: { type: "address", chain_id: "1", address: `0x${"a".repeat(40)}`, user_addresses: [`0x${"b".repeat(40)}`] },
  evm: {
    type: "transaction",
    chain_id: "1",
    transaction: { from: me, to: token, data: calldata("approve(address,uint256)", [stranger, 5n]) },
  },
  solana: {
    type: "transaction",
    chain_id: "solana",
    user_addresses: [user],
    transaction: { feePayer: user, instructions: [transfer] },
  },
};

/**
 * A service with every operation down.
 *
 * @param at Called for each request.
 */
function down(at: () => void): FakeService {
  const fail = () => {
    at();
    throw new UnavailableError("the service answered 500");
  };
  return new FakeService()
    .on("poisoningSingle", fail)
    .on("poisoningBatch", fail)
    .on("evmTransactionSecurity", fail)
    .on("solanaEmulate", fail);
}

describe.each(Object.keys(events) as (keyof typeof events)[])("an overdue %s event", (kind) => {
  const recorded = () => ({ ...recordOf(JSON.stringify({ ...events[kind], id: kind })), lane: "realtime" as const });

  test("no question takes a permit after the deadline", async () => {
    const clock = new VirtualClock();
    const given: (() => void)[] = [];
    const slots = {
      run: async <T>(job: () => Promise<T>) => {
        await new Promise<void>((resolve) => given.push(resolve));
        return job();
      },
      pace: () => undefined,
    };
    const service = down(() => undefined);
    const sink = new FakeSink();
    const worker = workerFor(service, { sink, clock, slots, deadlineMs: 1_000, policyFor: () => defaultPolicy });
    worker.pool.expectMore(false);
    const screened = screenRecord(recorded(), worker);

    await clock.advance(1_500);
    await screened;
    for (let i = 0; i < 5; i++) {
      for (const give of given.splice(0)) give();
      await settled();
    }

    expect(sink.verdicts.map(({ decision }) => decision)).toEqual(["UNKNOWN"]);
    expect(service.requests).toEqual([]);
  });

  test("no failed question is repeated after the deadline", async () => {
    const clock = new VirtualClock();
    const start = clock.ticks();
    const times: number[] = [];
    const sink = new FakeSink();
    const worker = workerFor(
      down(() => times.push(clock.ticks() - start)),
      {
        ...{ sink, clock, deadlineMs: 100, overdueGraceMs: 100 },
        ...{ policyFor: () => defaultPolicy, failuresLaterMs: () => 10_000 },
      },
    );
    worker.pool.expectMore(false);
    const screened = screenRecord(recorded(), worker);

    await clock.advance(60_000);
    await screened;

    expect(sink.verdicts.map(({ decision }) => decision)).toEqual(["UNKNOWN"]);
    expect(times.length).toBeGreaterThan(0);
    expect(times.filter((at) => at > 100)).toEqual([]);
  });
});
