/**
 * Requests of a backfill that needs the whole quota, in virtual time: `node bench/quota/packing.ts [events]`. They are
 * compared with a planner that sees the same events in flight and may take them in any order. Goals: 1.03, and 1.10 for
 * many partitions, chains and users. Where requests fail at random, 1.15 of the planner's requests with repeats until
 * all are answered, and no event without an answer.
 */
import { idealRequests } from "../../test/simulation/ideal-packing.ts";
import { packingRun } from "../../test/simulation/packing-run.ts";

const events = Number(process.argv[2] ?? 100_000);
const chains = ["1", "56", "137", "8453"];
const cases = [
  { name: "a user for each event", partitions: 1, chains: ["1"], users: undefined },
  { name: "a user for each event, 4 chains", partitions: 24, chains, users: undefined },
  { name: "5,000 users", partitions: 24, chains, users: 5_000 },
  { name: "500 users", partitions: 24, chains, users: 500 },
];

process.stdout.write(
  "| backfill | requests | of the planner | ratio | events a request |\n| --- | --- | --- | --- | --- |\n",
);
for (const { name, ...how } of cases) {
  const backfill = { ...how, events, seed: 1 };
  const ideal = idealRequests(backfill);
  const { requests } = await packingRun(backfill);
  const many = `${events} events, ${how.partitions} partitions, ${how.chains.length} chains, ${name}`;
  process.stdout.write(
    `| ${many} | ${requests} | ${ideal} | ${(requests / ideal).toFixed(3)} | ${(events / requests).toFixed(0)} |\n`,
  );
}

/** Number of seeds, each a run: one run depends much on chance. */
const SEEDS = 8;
const FAILING_EVENTS = 20_000;

process.stdout.write(
  "\n| requests that fail | requests, run by run | of the planner, until answered | ratio | events without an answer |\n| --- | --- | --- | --- | --- |\n",
);
for (const failing of [0, 0.05, 0.1, 0.2]) {
  const found: number[] = [];
  let [ideal, unknown] = [0, 0];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const backfill = { events: FAILING_EVENTS, partitions: 24, chains: ["1"], users: undefined, failing, seed };
    const run = await packingRun(backfill);
    found.push(run.requests);
    ideal += idealRequests(backfill) / (1 - failing);
    unknown += run.unknown;
  }
  const ratio = found.reduce((sum, requests) => sum + requests, 0) / ideal;
  process.stdout.write(
    `| ${100 * failing} % | ${found.join(" ")} | ${(ideal / SEEDS).toFixed(1)} | ${ratio.toFixed(3)} | ${unknown} |\n`,
  );
}
