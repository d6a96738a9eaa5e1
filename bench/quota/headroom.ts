/**
 * The use of a small configured quota in virtual time: `node bench/quota/headroom.ts [seeds]`. It compares the use
 * before and after the processes test whether the service accepts more than the safe pace of every window. Least, mean
 * and most.
 */
import { seededRandom } from "../../src/kernel/retry.ts";
import { kinds } from "../../test/quota/kinds.ts";
import { type Arrived, sharedRun } from "../../test/quota/shared-run.ts";
import { shown } from "./shown.ts";

const seeds = Array.from({ length: Number(process.argv[2] ?? 4) }, (_, i) => i + 1);
/** Seconds until all processes have tested, with some margin. The counted time before and after is as long. */
const TRIED: Readonly<Record<number, number>> = { 1: 300, 4: 1_800 };
const COUNTED = 300;

process.stdout.write(
  "| quota | processes | of the quota at first | of the quota when tried | 429s of all, % |\n| --- | --- | --- | --- | --- |\n",
);
for (const kind of kinds.filter(({ requests, windowMs }) => windowMs === 1_000 && requests <= 50)) {
  for (const processes of [1, 4]) {
    const tried = TRIED[processes] ?? 0;
    const runs = seeds.map((seed) =>
      sharedRun(
        kind.counter(() => kind.requests, seededRandom(seed)()),
        {
          quota: kind,
          processes: Array.from({ length: processes }, () => ({ demand: () => Number.POSITIVE_INFINITY })),
          seconds: tried + COUNTED,
          seed,
        },
      ),
    );
    const used = (from: number, until: number) =>
      runs.map((run) => sum(run, "taken", from, until) / (kind.requests * (until - from)));
    const refused = runs.map((run) => {
      const [taken, not] = [sum(run, "taken", 0, tried + COUNTED), sum(run, "refused", 0, tried + COUNTED)];
      return (100 * not) / (taken + not);
    });
    const columns = [shown(used(10, 30), 3), shown(used(tried, tried + COUNTED), 3), shown(refused, 3)];
    process.stdout.write(`| ${kind.name} | ${processes} | ${columns.join(" | ")} |\n`);
  }
}

function sum(run: readonly (readonly Arrived[])[], what: keyof Arrived, from: number, until: number): number {
  return run.flatMap((own) => own.slice(from, until)).reduce((all, second) => all + second[what], 0);
}
