/**
 * Requests of a backfill that asks for all of the quota, beside those of a planner that sees the same events in work and
 * may take them in any order, in virtual time: `node bench/quota/packing.ts [events]`. Goals: 1.03, and 1.10 for many
 * partitions, chains and users.
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
