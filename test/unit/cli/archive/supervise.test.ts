import { expect, test } from "vitest";
import { supervise } from "../../../../src/cli/archive/supervise.ts";
import { settled, VirtualClock } from "../../../fakes/virtual-clock.ts";

/** A run that lasts until its stop, or fails as the test decides. */
async function kept() {
  const clock = new VirtualClock();
  const stopping = new AbortController();
  const lives: { readonly fail: (error: Error) => void; readonly stop: AbortSignal }[] = [];
  const ends: [string, number, number][] = [];
  const world: { unwell: string | undefined } = { unwell: undefined };
  const ended = supervise({
    run: (stop) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      stop.addEventListener("abort", () => resolve(), { once: true });
      lives.push({ fail: reject, stop });
      return promise;
    },
    unwell: () => (world.unwell === undefined ? [] : [world.unwell]),
    onEnded: ({ message }, number, waitMs) => ends.push([message, number, waitMs]),
    stop: stopping.signal,
    clock,
    random: () => 0.5,
  });
  await settled();
  return { clock, stopping, lives, ends, world, ended };
}

test("a failed run restarts, each time after a longer wait, up to minutes", async () => {
  const { clock, lives, ends } = await kept();
  for (let life = 1; life <= 10; life++) {
    lives.at(-1)?.fail(new TypeError(`number ${life}`));
    await settled();
    await clock.advance(ends.at(-1)?.[2] ?? 0);
    expect(lives.length).toBe(life + 1);
  }

  expect(ends.slice(0, 3)).toEqual([
    ["number 1", 1, 2_000],
    ["number 2", 2, 3_000],
    ["number 3", 3, 5_000],
  ]);
  expect(ends.at(-1)).toEqual(["number 10", 10, 151_000]);
});

test("a run that lasted long restarts at once", async () => {
  const { clock, lives, ends } = await kept();
  lives[0]?.fail(new Error("first"));
  await clock.advance(2_000);
  await clock.advance(600_000);
  lives[1]?.fail(new Error("second"));
  await settled();

  expect(ends.at(-1)).toEqual(["second", 1, 2_000]);
});

test("an unwell run is ended and restarts", async () => {
  const { clock, lives, ends, world } = await kept();
  world.unwell = "nothing is archived";
  await clock.advance(30_000);
  expect([lives[0]?.stop.aborted, ends]).toEqual([true, [["nothing is archived", 1, 2_000]]]);
  world.unwell = undefined;
  await clock.advance(2_000);
  expect(lives.length).toBe(2);
});

test("on a stop it ends its run, also during a wait", async () => {
  const running = await kept();
  running.stopping.abort();
  await expect(running.ended).resolves.toBeUndefined();
  expect([running.lives.length, running.ends]).toEqual([1, []]);

  const waiting = await kept();
  waiting.lives[0]?.fail(new Error("x"));
  await settled();
  waiting.stopping.abort();
  await expect(waiting.ended).resolves.toBeUndefined();
  expect(waiting.lives.length).toBe(1);
});

test("an error at the start is an ordinary failure", async () => {
  const clock = new VirtualClock();
  const stopping = new AbortController();
  const ends: string[] = [];
  const ended = supervise({
    run: () => {
      throw new RangeError("at once");
    },
    unwell: () => [],
    onEnded: ({ message }) => {
      ends.push(message);
      if (ends.length === 2) stopping.abort();
    },
    stop: stopping.signal,
    clock,
    random: () => 0,
  });
  await settled();
  await clock.advance(1_000);
  await expect(ended).resolves.toBeUndefined();
  expect(ends).toEqual(["at once", "at once"]);
});
