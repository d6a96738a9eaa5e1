/**
 * Processes with one key and no configured quota, so that each learns the rest that the others leave, in virtual time:
 * `node bench/quota/unshared.ts [seeds]`. Least, mean and most over the seeds, from the third minute on.
 */
import { seededRandom } from "../../src/kernel/retry.ts";
import { kinds } from "../../test/quota/kinds.ts";
import { VirtualRun } from "../../test/quota/virtual-run.ts";
import { shown } from "./shown.ts";

const seeds = Array.from({ length: Number(process.argv[2] ?? 8) }, (_, i) => i + 1);
const [FROM, UNTIL] = [120, 240];

process.stdout.write(
  "| quota | processes | of what is reachable | 429s, % | largest share | smallest share |\n| --- | --- | --- | --- | --- | --- |\n",
);
for (const kind of kinds.filter(({ windowMs, name }) => windowMs === 1_000 && !/bucket of \d\d/.test(name))) {
  for (const processes of [1, 2, 4]) {
    const runs = seeds.map((seed) => {
      const counter = kind.counter(() => kind.requests, seededRandom(seed)());
      return new VirtualRun(counter, { seconds: UNTIL, seed, processes });
    });
    const shares = runs.map(({ takenByEach }) => {
      const all = takenByEach.reduce((sum, taken) => sum + taken, 0);
      return takenByEach.map((taken) => taken / all);
    });
    const columns = [
      shown(
        runs.map((run) => run.takenPerSecond(FROM, UNTIL) / kind.reachable),
        3,
      ),
      shown(
        runs.map((run) => 100 * run.refusedShare(FROM, UNTIL)),
        2,
      ),
      shown(
        shares.map((each) => Math.max(...each)),
        2,
      ),
      shown(
        shares.map((each) => Math.min(...each)),
        2,
      ),
    ];
    process.stdout.write(`| ${kind.name} | ${processes} | ${columns.join(" | ")} |\n`);
  }
}
