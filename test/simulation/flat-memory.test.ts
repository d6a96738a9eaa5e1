import { expect, test } from "vitest";
import { UnavailableError } from "../../src/worker/answers/service-errors.ts";
import { backlog, IN_FLIGHT, type Sizes } from "./backlog-run.ts";
import { honestService } from "./honest-service.ts";

/** The short backlog, too, fills events and tickets in flight with this number of events. */
const EVENTS = 600;
const STEPS_BETWEEN_SAMPLES = 64;
const PLENTY = 1_000;
const MINUTE_MS = 60_000;

const RING = /ledger\.#delivered\.#(offsets|sizes)$/;

/** What may stay when all is quiet, and by what it is bounded. */
const bounded: readonly (readonly [name: RegExp, by: string])[] = [
  [RING, "room of a ledger: twice the span of its partition"],
  [/^pool\.#calibrator\./, "formats of addresses, and shapes of lookalikes"],
  [/^pool\.#failures\.#elsewhere\.#recent$/, "requests that failed since so many answers; they hold nothing"],
  [/\.#tenures\.#owned$/, "partitions of topics"],
  [/^pool\.#open\.#tenants$/, "the tenants of the last event"],
];

/** Ways to read a backlog: permits per second, and the failing requests. */
const readings = [
  { what: "at 2 requests a second", perSecond: 2, fails: () => false },
  { what: "while no request may leave", perSecond: 0, fails: () => false },
  { what: "while every other request fails", perSecond: 5, fails: (nth: number) => nth % 2 === 0 },
];

/** Reads a backlog, then lets all its events be answered. */
async function read(events: number, { perSecond, fails }: (typeof readings)[number]) {
  let [asked, isWell] = [0, false];
  const service = honestService(() => {
    if (!isWell && fails(++asked)) throw new UnavailableError("the service answered 500");
  });
  const run = await backlog(service, events);
  const before = run.sizes();
  const most = new Map<string, number>();
  const sample = () => {
    for (const [name, size] of run.sizes()) most.set(name, Math.max(size, most.get(name) ?? 0));
  };
  for (let step = 1; !run.isRead; step++) {
    await run.step(perSecond);
    if (step % STEPS_BETWEEN_SAMPLES === 0) sample();
  }
  sample();
  isWell = true;
  while (!run.isDone) await run.step(PLENTY);
  for (let minute = 0; minute < 3; minute++) await run.pass(MINUTE_MS);
  await run.step(PLENTY);
  const left = grown(before, run.sizes(), 0);
  await run.end();
  return { most, left: left.filter(([name]) => !bounded.some(([pattern]) => pattern.test(name))) };
}

/** A ledger keeps offsets in rings, and the room of a ring is a power of two. */
function mostInFlight(name: string): number {
  return RING.test(name) ? 2 ** Math.ceil(Math.log2(IN_FLIGHT)) : IN_FLIGHT;
}

/** What is larger by more than `slack`. */
function grown(before: Sizes, after: Sizes, slack: number) {
  return [...after].filter(([name, size]) => size > (before.get(name) ?? 0) * (1 + slack));
}

test.each(readings)(
  "$what, memory stays flat while a backlog is read and is released afterwards",
  async (reading) => {
    const short = await read(EVENTS, reading);
    const long = await read(3 * EVENTS, reading);

    // What is smaller is a part of what is in flight, and depends on when it is looked at. A sixth of all events is more.
    const larger = grown(short.most, long.most, 0.25).filter(([name, size]) => size > mostInFlight(name));
    expect(larger).toEqual([]);
    expect([short.left, long.left]).toEqual([[], []]);
  },
  180_000,
);
