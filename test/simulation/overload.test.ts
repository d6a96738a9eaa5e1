import { describe, expect, test } from "vitest";
import { SECOND } from "../support/running-groups.ts";
import { type Load, type Outage, QUOTA, runOutage } from "./outage-run.ts";

const MINUTE_MS = 60 * SECOND;
const FROM_MS = MINUTE_MS;
/** The deadline of the runs. Events in the last part of a run may have no verdict yet. */
const DEADLINE_MS = 30 * SECOND;
/** Minutes that are checked after the time to recover. */
const AFTER_MS = 3 * MINUTE_MS;
/** Rarely, the deadline of an event falls between two permits. */
const IN_TIME = 0.99;

/** Events that share no request: each EVM transaction is a request. */
const evm = (perSecond: number): Load => ({ evm: perSecond });
/** 95 % of the quota, when Solana transactions share requests by eight and addresses by fifty or more. */
const mixed: Load = { evm: 8.5, solana: 4, deposits: 5 };
/** The same share of the quota, most of it for Solana. */
const solana: Load = { evm: 3, solana: 40 };

interface Case {
  readonly kind: Outage["kind"];
  readonly seconds: number;
  readonly load: Load;
}

const short: readonly Case[] = [
  { kind: "no slots", seconds: 60, load: evm(6) },
  { kind: "no slots", seconds: 60, load: evm(9.5) },
  { kind: "no slots", seconds: 1, load: mixed },
  { kind: "service down", seconds: 60, load: mixed },
  { kind: "service down", seconds: 20, load: solana },
  { kind: "quota cut", seconds: 60, load: mixed },
];
/** These cases take minutes of processor time and run with LONG=1. */
const long: readonly Case[] = [
  ...[3, 8].map((each): Case => ({ kind: "no slots", seconds: 60, load: evm(each) })),
  { kind: "no slots", seconds: 60, load: mixed },
  { kind: "no slots", seconds: 600, load: mixed },
  { kind: "quota cut", seconds: 600, load: { evm: 6, deposits: 5 } },
];
const cases = process.env["LONG"] === "1" ? [...short, ...long] : short;
/** The run is virtual. Only a busy machine needs this long. */
const TIMEOUT_MS = 600_000;

describe(`with ${QUOTA} requests a second and any load below that`, () => {
  test.each(cases)(
    "after $seconds s of '$kind' events are answered in time again: $load",
    async (each) => {
      const outage: Outage = { kind: each.kind, fromMs: FROM_MS, lastsMs: each.seconds * SECOND };
      const recoveredMs = FROM_MS + 2 * outage.lastsMs + DEADLINE_MS;
      const { events, evmAnswers } = await runOutage(each.load, outage, recoveredMs + AFTER_MS + DEADLINE_MS);

      const after = events.filter(({ cameMs }) => cameMs >= recoveredMs && cameMs < recoveredMs + AFTER_MS);
      const last = after.filter(({ cameMs }) => cameMs >= recoveredMs + AFTER_MS - MINUTE_MS);
      expect(shareInTime(after)).toBeGreaterThanOrEqual(IN_TIME);
      expect(shareInTime(last)).toBe(1);
      // One question is one answered request, however often an event and its tickets ask it.
      expect(evmAnswers).toBeLessThanOrEqual(events.filter(({ kind }) => kind === "evm").length);
    },
    TIMEOUT_MS,
  );
});

test(
  "a worker that starts under 95 % of the quota answers in time from its first event on",
  async () => {
    const { events } = await runOutage(
      mixed,
      { kind: "no slots", fromMs: Number.POSITIVE_INFINITY, lastsMs: 0 },
      2 * MINUTE_MS,
    );

    expect(shareInTime(events.filter(({ cameMs }) => cameMs < MINUTE_MS + DEADLINE_MS))).toBe(1);
  },
  TIMEOUT_MS,
);

function shareInTime(events: readonly { readonly isInTime: boolean }[]): number {
  return events.filter(({ isInTime }) => isInTime).length / events.length;
}
