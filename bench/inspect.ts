/**
 * Static analysis of bytecode on one core: `node bench/inspect.ts`. Every artifact of test/corpus, five rounds after
 * one round of warm-up. It prints wall and processor time of synchronous code. The relevant figure is contracts a
 * second of processor time.
 */
import { availableParallelism } from "node:os";
import { readSignatures } from "../src/adapters/evmole/read-signatures.ts";
import { analyseCode } from "../src/evm-analysis/analyse-code.ts";
import { readCorpus } from "../test/corpus/corpus.ts";

const ROUNDS = 5;
const artifacts = readCorpus();

/** Processor time of this process so far, seconds. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

process.stdout.write(
  `node ${process.version}, ${availableParallelism()} cores, ${artifacts.length} contracts a round\n`,
);
for (let round = 0; round <= ROUNDS; round++) {
  let slowest = { ms: 0, name: "" };
  const cpuBefore = cpuSeconds();
  const before = performance.now();
  for (const { contract, build, code } of artifacts) {
    const started = performance.now();
    analyseCode(code, readSignatures, () => true);
    const ms = performance.now() - started;
    if (ms > slowest.ms) slowest = { ms, name: `${contract} (${build})` };
  }
  const wall = (performance.now() - before) / 1000;
  const rate = (seconds: number) => `${Math.round(artifacts.length / seconds)}/s`;
  const name = round === 0 ? "warm-up" : `round ${round}`;
  const worst = `slowest ${slowest.ms.toFixed(0)} ms: ${slowest.name}`;
  process.stdout.write(`${name.padEnd(8)} ${rate(wall)} wall, ${rate(cpuSeconds() - cpuBefore)} CPU, ${worst}\n`);
}
const { rss } = process.memoryUsage();
process.stdout.write(`resident ${Math.round(rss / 2 ** 20)} MiB\n`);
