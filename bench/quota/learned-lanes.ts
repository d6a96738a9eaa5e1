/**
 * Deposits at a tenth of a quota that is not configured, beside a backfill that requests all of it, in virtual time:
 * `node bench/quota/learned-lanes.ts [seeds] [seconds] [kind]`. It prints the wait of deposits until their accepted
 * request left, in permits of the quota. It also prints the accepted requests of both lanes as a share of those of the
 * backfill alone: at 1 the backfill loses what the deposits use. The first minute, in which the quota is searched, is
 * separate.
 */
import type { Kind } from "../../test/quota/kinds.ts";
import { type LearnedLanes, laneKinds, learnedLanes } from "../../test/simulation/learned-lanes.ts";

const SHARE = 0.1;
const MINUTE = 60;
/** Longest wait of 99 in 100 deposits, in permits. */
const FLOOR = 2;
const [seeds = 8, seconds = 660] = process.argv.slice(2, 4).map(Number);
const filter = process.argv[4] ?? "";

const titles = ["quota", "Retry-After", "when", "deposits", "median wait, slots", "p99", "most", "more than 2, %"];
const row = (columns: readonly (string | number)[]) => process.stdout.write(`| ${columns.join(" | ")} |\n`);
row([...titles, "refused, %", "taken, of alone", "429s of all, %"]);
row(Array.from({ length: titles.length + 3 }, () => "---"));
for (const tells of [false, true]) {
  for (const kind of laneKinds.filter(({ name }) => name.includes(filter))) {
    const beside = await runs(kind, tells, SHARE);
    const alone = await runs(kind, tells, 0);
    for (const [from, until] of [
      [0, MINUTE],
      [MINUTE, seconds],
    ] as const) {
      const own = beside.flatMap(({ deposits }) => deposits.filter(({ at }) => at >= from && at < until));
      const waits = own.map(({ waited }) => waited).sort((a, b) => a - b);
      const at = (share: number) => (waits[Math.floor(share * waits.length)] ?? 0).toFixed(2);
      const part = (what: readonly unknown[]) => ((100 * what.length) / own.length).toFixed(2);
      const [taken, refused] = [sum(beside, "taken", from, until), sum(beside, "refused", from, until)];
      row([
        kind.name,
        tells ? "yes" : "no",
        `${from}-${until} s`,
        own.length,
        at(0.5),
        at(0.99),
        (waits.at(-1) ?? 0).toFixed(2),
        part(waits.filter((waited) => waited > FLOOR)),
        part(own.filter(({ refusals }) => refusals > 0)),
        (taken / sum(alone, "taken", from, until)).toFixed(3),
        ((100 * refused) / (refused + taken)).toFixed(2),
      ]);
    }
  }
}

async function runs(kind: Kind, tells: boolean, deposits: number): Promise<readonly LearnedLanes[]> {
  const all: LearnedLanes[] = [];
  for (let seed = 1; seed <= seeds; seed++) all.push(await learnedLanes({ kind, seed, seconds, tells, deposits }));
  return all;
}

function sum(all: readonly LearnedLanes[], what: "taken" | "refused", from: number, until: number): number {
  return all.flatMap((run) => run.seconds.slice(from, until)).reduce((count, second) => count + second[what], 0);
}
