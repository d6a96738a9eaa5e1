/**
 * Runs the simulation (test/simulation) over many seeds, on every core: `SEEDS=1000000 FROM=1 node
 * tools/prove/simulate.ts`. Ends at the first seed that fails, and prints how to run that seed again. WORKERS sets the
 * number of parallel runs.
 */
import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { type Outcome, simulate } from "../../test/simulation/run.ts";
import onceFailed from "../../test/simulation/seeds.json" with { type: "json" };

type Chunk = readonly number[];

type Report =
  | { readonly kind: "chunk"; readonly seeds: number; readonly events: number; readonly requests: number }
  | { readonly kind: "failed"; readonly seed: number; readonly faults: readonly string[] };

const CHUNK = 200;
const PROGRESS_MS = 10_000;

if (isMainThread) await runAll();
else parentPort?.on("message", (chunk: Chunk) => void runChunk(chunk));

async function runAll(): Promise<void> {
  const from = Number(process.env["FROM"] ?? 1);
  const until = from + Number(process.env["SEEDS"] ?? 1_000_000);
  const count = Number(process.env["WORKERS"] ?? availableParallelism());
  const begunAt = performance.now();
  const total = { seeds: 0, events: 0, requests: 0 };
  const line = () => {
    const seconds = (performance.now() - begunAt) / 1000;
    const { seeds, events, requests } = total;
    return `${seeds} of ${until - from + onceFailed.length} seeds, ${events} events, ${requests} requests in ${seconds.toFixed(0)} s (${(seeds / seconds).toFixed(0)} seeds/s)`;
  };
  const progress = setInterval(() => console.log(line()), PROGRESS_MS);
  // Seeds that once failed come last, so that a bug is counted by the ordinary seeds.
  const chunks = chunksOf(from, until);
  const workers: Worker[] = [];
  const runOne = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL(import.meta.url), { workerData: { stackTraceLimit: 0 } });
      workers.push(worker);
      const give = () => {
        const { value: chunk } = chunks.next();
        if (chunk === undefined) resolve();
        else worker.postMessage(chunk);
      };
      worker.on("error", reject);
      worker.on("message", (report: Report) => {
        if (report.kind === "failed") {
          reject(new Error(`seed ${report.seed} failed\n  ${report.faults.slice(0, 10).join("\n  ")}`));
          return;
        }
        total.seeds += report.seeds;
        total.events += report.events;
        total.requests += report.requests;
        give();
      });
      give();
    });
  try {
    await Promise.all(Array.from({ length: count }, runOne));
    console.log(`${line()}: all is well`);
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    console.log(`${message}\n${line()}`);
    console.log(
      "run it again: FROM=<seed> SEEDS=1 node tools/prove/simulate.ts; then add it to test/simulation/seeds.json",
    );
    process.exitCode = 1;
  } finally {
    clearInterval(progress);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function* chunksOf(from: number, until: number): Generator<Chunk, undefined> {
  for (let at = from; at < until; at += CHUNK)
    yield Array.from({ length: Math.min(CHUNK, until - at) }, (_, i) => at + i);
  yield onceFailed.map(({ seed }) => seed);
}

async function runChunk(seeds: Chunk): Promise<void> {
  Error.stackTraceLimit = (workerData as { readonly stackTraceLimit: number }).stackTraceLimit;
  const done = { kind: "chunk" as const, seeds: seeds.length, events: 0, requests: 0 };
  for (const seed of seeds) {
    const outcome = await outcomeOf(seed);
    done.events += outcome.events;
    done.requests += outcome.requests;
    if (outcome.faults.length === 0) continue;
    parentPort?.postMessage({ kind: "failed", seed, faults: outcome.faults } satisfies Report);
    return;
  }
  parentPort?.postMessage(done satisfies Report);
}

/** An unhandled rejection ends a process, so it fails its seed. */
async function outcomeOf(seed: number): Promise<Outcome> {
  const uncaught: string[] = [];
  const note = (thrown: unknown) => uncaught.push(`nobody caught ${thrown}`);
  process.on("unhandledRejection", note);
  try {
    const outcome = await simulate(seed);
    await new Promise(setImmediate);
    return { ...outcome, faults: [...outcome.faults, ...uncaught] };
  } catch (thrown) {
    return { seed, faults: [String(thrown), ...uncaught], seen: new Map(), requests: 0, events: 0 };
  } finally {
    process.off("unhandledRejection", note);
  }
}
