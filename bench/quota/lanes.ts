/**
 * Deposits at a tenth of the quota beside a backfill that requests all of it, in virtual time: `PICTURES=lanes.html
 * node bench/quota/lanes.ts`. It prints the wait of each lane, in permits, and the fill of requests, and draws both
 * over time. Virtual time: the figures are equal on any machine.
 */
import { writeFile } from "node:fs/promises";
import type { Lane } from "../../src/messages/lane.ts";
import { type Kind, laneRun } from "../../test/simulation/lane-run.ts";
import { lanePicture } from "./lane-picture.ts";
import { report } from "./picture.ts";

const SECONDS = 60;
/** Most items of a request. Source: src/api/schemas/address-poisoning.ts, MAX_BATCH_ITEMS. */
const MOST_ITEMS = 1_000;
const pooled: Kind = { check: "poisoning", users: 200 };
const deposit: Kind = { check: "poisoning", users: 1 };
const runs = [5, 10].map((slotsPerSecond) => ({ slotsPerSecond, atOnce: 3 * slotsPerSecond }));

const pictures: string[] = [];
process.stdout.write(
  "| quota | lane | median wait, slots | p99, slots | mean fill |\n| --- | --- | --- | --- | --- |\n",
);
for (const { slotsPerSecond, atOnce } of runs) {
  const waits = { realtime: bySecond(), backfill: bySecond() } satisfies Record<Lane, number[][]>;
  const fill = bySecond();
  await laneRun({
    seed: 1,
    quota: { requests: slotsPerSecond + 1, windowMs: 1_000 },
    seconds: SECONDS,
    flows: [
      { lane: "backfill", tenant: "bulk", kind: pooled, atOnce },
      { lane: "realtime", tenant: "exchange", kind: deposit, everyMs: 10_000 / slotsPerSecond },
    ],
    onLeft: (lane, atSeconds, slots) => waits[lane][Math.floor(atSeconds)]?.push(slots),
    onPacked: (atSeconds, items) => fill[Math.floor(atSeconds)]?.push(items / MOST_ITEMS),
  });
  const filled = mean(fill.flat()) ?? 0;
  for (const lane of ["realtime", "backfill"] as const) {
    const all = waits[lane].flat();
    const [half, most] = [at(all, 0.5), at(all, 0.99)].map((slots) => (slots ?? 0).toFixed(2));
    process.stdout.write(`| ${slotsPerSecond}/s | ${lane} | ${half} | ${most} | ${filled.toFixed(3)} |\n`);
  }
  const title = `${slotsPerSecond} requests a second: deposits at a tenth of them beside a backfill that asks for all`;
  pictures.push(
    lanePicture(title, [
      { name: "realtime: longest wait in each second, slots", values: waits.realtime.map(highest), color: "#d8453b" },
      { name: "backfill: median wait in each second, slots", values: waits.backfill.map(middle), color: "#3b7dd8" },
      { name: "items of a request, of 1,000: mean of each second", values: fill.map(mean), color: "#5a9e4b" },
    ]),
  );
}
const { PICTURES } = process.env;
if (PICTURES !== undefined) await writeFile(PICTURES, report(pictures));

function bySecond(): number[][] {
  return Array.from({ length: SECONDS }, () => []);
}

function at(figures: readonly number[], share: number): number | undefined {
  return figures.toSorted((a, b) => a - b)[Math.floor(share * figures.length)];
}

function middle(figures: readonly number[]): number | undefined {
  return at(figures, 0.5);
}

function highest(figures: readonly number[]): number | undefined {
  return figures.length === 0 ? undefined : Math.max(...figures);
}

function mean(figures: readonly number[]): number | undefined {
  return figures.length === 0 ? undefined : figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
}
