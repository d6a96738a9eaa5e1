import { expect, test } from "vitest";
import { evm } from "../../../support/poisoning-parts.ts";
import { poolSetup } from "../../../support/pool-setup.ts";

/** All that the backfill may have on the wire is out, and one more of it waits; answers take ten seconds. */
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

test("a deposit that is asked beside a full backfill leaves at once, and what waits rides with it", async () => {
  const { ask, clock, sent, about } = await full();
  void ask(about(8), "realtime");
  await clock.advance(100);

  expect(
    sent()
      .slice(7)
      .map((targets) => targets.toSorted()),
  ).toEqual([[evm(2008), evm(2009)]]);
});

test("a deposit that asks what waits already makes it leave", async () => {
  const { ask, clock, sent, about } = await full();
  void ask(about(7), "realtime");
  await clock.advance(100);

  expect(sent().slice(7)).toEqual([[evm(2008)]]);
});
