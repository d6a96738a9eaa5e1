import { Worker } from "node:worker_threads";
import type { Message } from "../../../chains/solana/message/message.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Simulated, Simulation, Simulator } from "../../../service/solana-transactions/simulator.ts";
import { unpackSimulations } from "./simulation-bytes.ts";
import { type Job, type PackedResult, packJob } from "./simulator-thread.ts";
import type { Snapshot } from "./snapshot.ts";

export interface PoolOptions {
  /** The entry file of a thread. */
  readonly threadFile: string;
  readonly snapshot: Snapshot;
  /** At least 1. */
  readonly threads: number;
  /** Longest wait of one job, and longest run of one job, milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Independent transactions of one request in one job. More transactions are spread over the threads. */
const JOB_SIZE = 16;

interface Waiting {
  readonly job: Job;
  readonly since: number;
  readonly resolve: (simulated: Simulated) => void;
}

/** A slot for a thread. Its thread is started on demand, so a thread that cannot start is not retried forever. */
interface Place {
  worker: Worker | undefined;
  current: { readonly waiting: Waiting; readonly timer: NodeJS.Timeout } | undefined;
}

/**
 * Simulates in worker threads with one machine each. The threads live as long as the pool: simulations are synchronous,
 * and the memory of a machine is never fully released. A thread that dies or hangs fails its job and is replaced.
 */
export class SimulatorPool implements Simulator {
  readonly #options: PoolOptions;
  readonly #queue: Waiting[] = [];
  readonly #places: readonly Place[];
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#places = Array.from({ length: options.threads }, () => ({ worker: undefined, current: undefined }));
  }

  async simulate(messages: readonly Message[], sequence: boolean): Promise<Simulated> {
    const texts = messages.map(({ bytes }) => bytes);
    const size = sequence ? Math.max(1, texts.length) : JOB_SIZE;
    const jobs: Job[] = [];
    for (let at = 0; at < texts.length; at += size) jobs.push({ messages: texts.slice(at, at + size), sequence });
    const simulations: Simulation[] = [];
    for (const simulated of await Promise.all(jobs.map((job) => this.run(job)))) {
      if (!simulated.ok) return simulated;
      simulations.push(...simulated.simulations);
    }
    return { ok: true, simulations };
  }

  /** Runs the whole job on one thread. */
  run(job: Job): Promise<Simulated> {
    if (this.#isClosed) return Promise.resolve(closing);
    const { promise, resolve } = Promise.withResolvers<Simulated>();
    this.#queue.push({ job, since: this.#options.clock.ticks(), resolve });
    this.#next();
    return promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { resolve } of this.#queue.splice(0)) resolve(closing);
    await Promise.all(this.#places.map(({ worker }) => worker?.terminate()));
  }

  #start(place: Place): Worker {
    const { threadFile, snapshot, log } = this.#options;
    const worker = new Worker(threadFile, { workerData: snapshot });
    worker.on("message", (result: PackedResult) => {
      if (result.isFull) {
        place.worker = undefined;
        void worker.terminate();
      }
      this.#settle(
        place,
        result.ok
          ? { ok: true, simulations: unpackSimulations(result) }
          : { ok: false, failure: "badGateway", detail: result.detail },
      );
      this.#next();
    });
    worker.on("error", (error) => log.error("a simulator thread failed", { error }));
    worker.on("exit", () => {
      if (place.worker !== worker) return;
      place.worker = undefined;
      this.#settle(place, { ok: false, failure: "badGateway", detail: "the simulator died" });
      this.#next();
    });
    return worker;
  }

  #next(): void {
    if (this.#isClosed) return;
    for (const place of this.#places) {
      if (place.current !== undefined) continue;
      const waiting = this.#nextWaiting();
      if (waiting === undefined) return;
      place.worker ??= this.#start(place);
      const timer = setTimeout(() => this.#giveUp(place), this.#options.timeoutMs);
      place.current = { waiting, timer };
      const job = packJob(waiting.job);
      place.worker.postMessage(job, [job.bytes.buffer]);
    }
  }

  /** The next job that has not waited too long. */
  #nextWaiting(): Waiting | undefined {
    const { clock, timeoutMs } = this.#options;
    for (let waiting = this.#queue.shift(); waiting !== undefined; waiting = this.#queue.shift()) {
      if (clock.ticks() - waiting.since <= timeoutMs) return waiting;
      waiting.resolve(timedOut);
    }
    return undefined;
  }

  /** The slot is free again once its thread has ended. */
  #giveUp({ current, worker }: Place): void {
    current?.waiting.resolve(timedOut);
    void worker?.terminate();
  }

  #settle(place: Place, simulated: Simulated): void {
    const { current } = place;
    if (current === undefined) return;
    place.current = undefined;
    clearTimeout(current.timer);
    current.waiting.resolve(simulated);
  }
}

const closing: Simulated = { ok: false, failure: "badGateway", detail: "the simulator is closing" };
const timedOut: Simulated = { ok: false, failure: "gatewayTimeout", detail: "the simulation took too long" };
