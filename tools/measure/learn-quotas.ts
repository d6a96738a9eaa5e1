/**
 * Learns quotas of every kind over many seeds, in virtual time: `node tools/measure/learn-quotas.ts --help`. A seed
 * selects the behaviour of the service and the changes of the quota (test/quota/trial.ts). Ends with 1 when a quota is
 * learned too badly, and names it.
 */
import { parseArgs } from "node:util";
import { GOALS, isTooLow, Tally } from "../../test/quota/floors.ts";
import { kinds } from "../../test/quota/kinds.ts";
import { trial } from "../../test/quota/trial.ts";

const HELP = `node tools/measure/learn-quotas.ts [options]

  --seeds N    seeds for each kind of quota (5000)
  --from N     the first of them (1)
  --kind TEXT  only kinds with TEXT in their name, as "a bucket of 5 at 50/s"
  --show       a line of JSON for each seed: what it drew, and what was reached
  --help       this

One seed again: --kind "a bucket of 5 at 50/s" --from 17 --seeds 1 --show
`;

const PROGRESS_MS = 10_000;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "5000" },
    from: { type: "string", default: "1" },
    kind: { type: "string", default: "" },
    show: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else run(Number(values.from), Number(values.seeds), values.kind);

function run(from: number, count: number, filter: string): void {
  const chosen = kinds.filter(({ name }) => name.includes(filter));
  if (chosen.length === 0 || !(count > 0)) throw new Error("nothing to run: see --help");
  const begunAt = performance.now();
  let done = 0;
  let toldAt = begunAt;
  process.stdout.write(
    "| quota | Retry-After | early: least, mean, < 0.90 | late: least, mean, < 0.97 | settled: least, mean, < 0.90 | 429s, %: most, mean, > 1 % |\n| --- | --- | --- | --- | --- | --- |\n",
  );
  for (const kind of chosen) {
    const tallies = new Map([true, false].map((tells) => [tells, GOALS.map((goal) => new Tally(goal))]));
    for (let seed = from; seed < from + count; seed++) {
      const figures = trial(kind, seed);
      for (const tally of tallies.get(figures.tells) ?? []) tally.add(figures);
      if (values.show) process.stdout.write(`${JSON.stringify({ kind: kind.name, ...figures })}\n`);
      if (isTooLow(figures)) {
        process.exitCode = 1;
        process.stderr.write(`seed ${seed} of ${kind.name}: ${JSON.stringify(figures)}\n`);
      }
      done++;
      if (performance.now() - toldAt < PROGRESS_MS) continue;
      toldAt = performance.now();
      const seconds = (toldAt - begunAt) / 1_000;
      process.stderr.write(`${done} of ${count * chosen.length} runs in ${seconds.toFixed(0)} s\n`);
    }
    for (const [tells, each] of tallies)
      process.stdout.write(`| ${kind.name} | ${tells ? "yes" : "no"} | ${each.map(cell).join(" | ")} |\n`);
  }
  process.stderr.write(`${done} runs in ${((performance.now() - begunAt) / 1_000).toFixed(0)} s\n`);
}

function cell(tally: Tally): string {
  const { runs, worst, mean, missed, goal } = tally.reached;
  if (runs === 0) return "none";
  const shown = (figure: number) => (goal === "lateRefused" ? (100 * figure).toFixed(2) : figure.toFixed(3));
  return `${shown(worst)} ${shown(mean)}, ${missed} of ${runs}`;
}
