/**
 * The learner alone against every kind of counter in virtual time: `node bench/quota/simulated.ts [seeds]`. Least, mean
 * and most over the seeds, as a share of the possible rate of evenly spaced requests.
 */
import { seededRandom } from "../../src/kernel/retry.ts";
import { type Kind, kinds } from "../../test/quota/kinds.ts";
import { VirtualRun } from "../../test/quota/virtual-run.ts";
import { shown } from "./shown.ts";

const seeds = Array.from({ length: Number(process.argv[2] ?? 16) }, (_, i) => i + 1);

/** The quota is `times` as large from `atSeconds` on. */
function changed(
  kind: Kind,
  seed: number,
  atSeconds: number,
  times: number,
  settledAt: number,
  seconds: number,
): VirtualRun {
  let nowMs = 0;
  const allowed = () => {
    if (nowMs < 1_000 * atSeconds) return kind.requests;
    if (times > 0) return times * kind.requests;
    return nowMs < 1_000 * (atSeconds + 60) ? 0 : kind.requests;
  };
  const counter = kind.counter(allowed, seededRandom(seed)());
  const takes = (now: number) => {
    nowMs = now;
    return counter.takes(now);
  };
  return new VirtualRun({ takes, freeAt: (now) => counter.freeAt(now) }, { seconds: settledAt + seconds, seed });
}

process.stdout.write("| quota | when | of what is reachable | 429s, % |\n| --- | --- | --- | --- |\n");
for (const kind of kinds) {
  const isLong = kind.windowMs > 1_000;
  const looks = isLong
    ? ([
        [600, 1_800],
        [1_800, 2_400],
      ] as const)
    : ([
        [10, 30],
        [120, 240],
      ] as const);
  const runs = seeds.map((seed) => {
    const counter = kind.counter(() => kind.requests, seededRandom(seed)());
    return new VirtualRun(counter, { seconds: looks[1][1], seed });
  });
  for (const [from, until] of looks) {
    const used = runs.map((run) => run.takenPerSecond(from, until) / kind.reachable);
    const refused = runs.map((run) => 100 * run.refusedShare(from, until));
    process.stdout.write(`| ${kind.name} | ${from}-${until} s | ${shown(used, 3)} | ${shown(refused, 2)} |\n`);
  }
  for (const [what, times] of [
    ["halved", 0.5],
    ["doubled", 2],
    ["zero for a minute", 0],
  ] as const) {
    const seconds = isLong ? 120 : 20;
    const figures = seeds.map((seed) => {
      const at = (isLong ? 1_800 : 100) + (seed % 20);
      const settledAt = at + (isLong ? 180 : 10) + (times === 0 ? 60 : 0);
      const run = changed(kind, seed, at, times, settledAt, seconds);
      const taken = run.takenPerSecond(settledAt, settledAt + seconds);
      return {
        used: taken / (kind.reachable * (times || 1)),
        refused: 100 * run.refusedShare(settledAt, settledAt + seconds),
      };
    });
    const used = shown(
      figures.map(({ used }) => used),
      3,
    );
    const refused = shown(
      figures.map(({ refused }) => refused),
      2,
    );
    process.stdout.write(`| ${kind.name} | ${what}, settled | ${used} | ${refused} |\n`);
  }
}
