/**
 * The addresses that a worker's batcher sends for a backfill with repeated addresses, in virtual time: `node
 * bench/quota/repeated.ts [events] [addresses]`. They are compared with the number of distinct addresses, by cache
 * size. Goal: 1.05 where all answers fit.
 */
import { eventsOf, packingRun } from "../../test/simulation/packing-run.ts";

const [, , events = "1000000", addresses = "200000"] = process.argv;
const MIB = 2 ** 20;
const backfill = {
  events: Number(events),
  repeated: Number(addresses),
  partitions: 24,
  chains: ["1"],
  users: undefined,
  seed: 1,
};
let distinct = 0;
{
  const seen = new Set<string>();
  for (const question of eventsOf(backfill)) if ("target" in question) seen.add(question.target);
  distinct = seen.size;
}

process.stdout.write(
  `${events} events over ${distinct} different questions, by Zipf's law\n\n| remembered | sent / different | requests |\n| --- | --- | --- |\n`,
);
for (const mebibytes of [512, 64, 16, 4]) {
  const { targets, requests } = await packingRun({ ...backfill, cacheBytes: mebibytes * MIB });
  process.stdout.write(`| ${mebibytes} MiB | ${(targets / distinct).toFixed(3)} | ${requests} |\n`);
}
