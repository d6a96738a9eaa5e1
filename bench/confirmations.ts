/**
 * The cost of confirming flags. In a backfill, a share of the targets is flagged by itself and 0.1 % imitate their
 * user. It prints the requests beside those of the same backfill without flags and confirmations, and the processor
 * time. In virtual time, against a service in this process: `node bench/confirmations.ts [EVENTS] [SEED] [PARTITIONS]`.
 */
import { confirming, confirmingFloors } from "../test/simulation/confirmations-run.ts";

const EVENTS = Number(process.argv[2] ?? 100_000);
const SEED = Number(process.argv[3] ?? 1);
/** With one partition, as in a file, few events are in flight: events in confirmation block further reading. */
const PARTITIONS = Number(process.argv[4] ?? 24);
const TRAPS = 0.001;
const MOST_TIME = 1.3;
/** Runs of each kind, in alternation. The least processor time counts. */
const ROUNDS = 3;

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
const run = (share: number, traps: number) =>
  confirming({ events: EVENTS, seed: SEED, partitions: PARTITIONS, share, traps, cpuMs });

await run(0.06, TRAPS);
const ideal = (await run(0, 0)).requests;
const rounds: (typeof confirmingFloors extends readonly (infer F)[] ? F & Awaited<ReturnType<typeof run>> : never)[] =
  [];
for (let round = 0; round < ROUNDS; round++)
  for (const floor of confirmingFloors) rounds.push({ ...floor, ...(await run(floor.share, TRAPS)) });
const timeAt = (share: number) => Math.min(...rounds.filter((each) => each.share === share).map(({ cpuMs }) => cpuMs));

process.stdout.write(
  `${EVENTS} events, 100 users, 4 chains, ${PARTITIONS} partitions, ${100 * TRAPS} % imitate their user; ${ideal} requests if nothing is flagged\n\n` +
    "| flagged by itself | requests | ratio | at most | processor time, ms |\n| --- | --- | --- | --- | --- |\n",
);
for (const { share, most, requests } of rounds.slice(0, confirmingFloors.length))
  process.stdout.write(
    `| ${100 * share} % | ${requests} | ${(requests / ideal).toFixed(3)} | ${most} | ${timeAt(share).toFixed(0)} |\n`,
  );
const ratio = timeAt(0.06) / timeAt(0);
process.stdout.write(`\nprocessor time at 6 % beside that at 0 %: ${ratio.toFixed(2)} (at most ${MOST_TIME})\n`);
const isMissed = rounds.some(({ requests, most }) => requests > most * ideal) || ratio > MOST_TIME;
process.exitCode = isMissed ? 1 : 0;
