/**
 * The use of a small shared quota by a fleet of workers: one busy worker among others with a request a minute, and all
 * workers busy. The real processes, in virtual time: `node bench/quota/fleet.ts [seeds]`. Least, mean and most.
 */
import { seededRandom } from "../../src/kernel/retry.ts";
import { kinds } from "../../test/quota/kinds.ts";
import { type Asked, type Load, memberRun } from "../../test/quota/member-run.ts";
import { shown } from "./shown.ts";

const seeds = Array.from({ length: Number(process.argv[2] ?? 4) }, (_, i) => i + 1);
const FROM = 60;
const SECONDS = 300;
const busy: Load = { busy: 32 };
const idle: Load = { everyMs: 60_000 };

process.stdout.write(
  "| quota | workers | of the quota | longest gap of a busy one, s | idle ones waited at most, s | 429s of all, % |\n| --- | --- | --- | --- | --- | --- |\n",
);
for (const kind of kinds.filter(({ requests, name }) => requests === 10 || name === "a bucket of 5 at 50/s")) {
  for (const workers of [4, 6, 12, 24])
    for (const others of [idle, busy]) {
      // The starts are staggered: otherwise the permits of all workers would come at the same moments.
      const loads = Array.from({ length: workers }, (_, i) => ({ ...(i === 0 ? busy : others), from: 5 + 0.37 * i }));
      const runs: (readonly (readonly Asked[])[])[] = [];
      for (const seed of seeds) {
        const counter = kind.counter(() => kind.requests, seededRandom(seed)());
        runs.push(await memberRun(counter, { quota: kind, loads, seconds: SECONDS, seed }));
      }
      const columns = [
        shown(
          runs.map((run) => taken(run.flat()) / (kind.requests * (SECONDS - FROM))),
          3,
        ),
        shown(
          runs.map((run) => Math.max(...(others === idle ? run.slice(0, 1) : run).map(longestGap))),
          1,
        ),
        others === idle
          ? shown(
              runs.map(
                (run) =>
                  Math.max(
                    ...run
                      .slice(1)
                      .flat()
                      .map(({ waitedMs }) => waitedMs),
                  ) / 1_000,
              ),
              1,
            )
          : "",
        shown(
          runs.map((run) => (100 * run.flat().filter(({ isTaken }) => !isTaken).length) / run.flat().length),
          3,
        ),
      ];
      const who = others === idle ? `one busy of ${workers}` : `all ${workers} busy`;
      process.stdout.write(`| ${kind.name} | ${who} | ${columns.join(" | ")} |\n`);
    }
}

function taken(asked: readonly Asked[]): number {
  return asked.filter(({ at, isTaken }) => isTaken && at >= 1_000 * FROM).length;
}

/** The longest gap between two own requests, seconds. */
function longestGap(own: readonly Asked[]): number {
  const since = own.filter(({ at }) => at >= 1_000 * FROM);
  return Math.max(...since.slice(1).map(({ at }, i) => at - (since[i]?.at ?? at))) / 1_000;
}
