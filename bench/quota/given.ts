/**
 * A configured quota with a key that tolerates less for a while, in virtual time, one process: `node
 * bench/quota/given.ts [seeds]`. Least, mean and most over the seeds. First the used share of the reduced rate, from 10
 * s (3 windows) after the cut on. Then the used share of the configured rate, from the same time after its return on.
 * Then the 429s of all requests during the cut, including the adjustment.
 */
import { minTimeMs } from "../../src/worker/rate-limit/sharing/quota.ts";
import { cutRun, givenRun } from "../../test/quota/given-run.ts";
import { kinds } from "../../test/quota/kinds.ts";
import { shown } from "./shown.ts";

const seeds = Array.from({ length: Number(process.argv[2] ?? 16) }, (_, i) => i + 1);

process.stdout.write(
  "| quota | the key bears | of that | 429s, % | given back, of the pace |\n| --- | --- | --- | --- | --- |\n",
);
for (const kind of kinds) {
  const given = 1_000 / minTimeMs(kind);
  const perSecond = (1_000 * kind.requests) / kind.windowMs;
  for (const [what, times, tells] of [
    ["half", 0.5, false],
    ["half, with Retry-After", 0.5, true],
    ["0.8", 0.8, false],
    ["nothing", 0, false],
  ] as const) {
    const runs = seeds.map((seed) => {
      const { run, at, until, seconds, settleSeconds } = cutRun({ kind, seed, times, tells });
      return {
        used: times === 0 ? 0 : run.takenPerSecond(at + settleSeconds, until) / (times * perSecond),
        refused: 100 * run.refusedShare(at, until),
        again: run.takenPerSecond(until + settleSeconds, seconds) / given,
      };
    });
    const used = shown(
      runs.map((each) => each.used),
      3,
    );
    const refused = shown(
      runs.map((each) => each.refused),
      1,
    );
    const again = shown(
      runs.map((each) => each.again),
      3,
    );
    process.stdout.write(`| ${kind.name} | ${what} | ${used} | ${refused} | ${again} |\n`);
  }
  const seconds = kind.windowMs > 1_000 ? 1_200 : 120;
  const runs = seeds.map((seed) => givenRun({ kind, seed, seconds, times: () => 1, byChance: 0.02 }).run);
  const used = shown(
    runs.map((run) => run.takenPerSecond(5, seconds) / given),
    3,
  );
  const refused = shown(
    runs.map((run) => 100 * run.refusedShare(5, seconds)),
    1,
  );
  process.stdout.write(`| ${kind.name} | all, but 2 % by chance | ${used} | ${refused} | |\n`);
}
