import { expect, test } from "vitest";
import { evm } from "../../../support/poisoning-parts.ts";
import { poolSetup } from "../../../support/pool-setup.ts";

/**
 * A backfill with its full share of requests in flight, and one more backfill entry that waits. Answers take ten
 * seconds.
 */
async function full() {
  const setup = poolSetup({ concurrency: 8 });
  const { calibrate, clock, service, ask, sent } = setup;
  await calibrate();
  service.alter = (_request, answer) => clock.sleep(10_000).then(() => answer);
  const about = (i: number) => ({ target: evm(2001 + i), users: [evm(2101 + i)] });
  for (let i = 0; i < 8; i++) {
    void ask(about(i), "backfill");
    await clock.advance(1_000);
  }
  expect(sent()).toHaveLength(7);
  return { ...setup, about };
}

test("a deposit beside a full backfill leaves at once, and the waiting backfill entry shares its request", async () => {
  const { ask, clock, sent, about } = await full();
  void ask(about(8), "realtime");
  await clock.advance(100);

  expect(
    sent()
      .slice(7)
      .map((targets) => targets.toSorted()),
  ).toEqual([[evm(2008), evm(2009)]]);
});

test("a deposit with the same question as a waiting backfill entry makes it leave", async () => {
  const { ask, clock, sent, about } = await full();
  void ask(about(7), "realtime");
  await clock.advance(100);

  expect(sent().slice(7)).toEqual([[evm(2008)]]);
});
