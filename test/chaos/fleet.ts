import type { ChildProcess } from "node:child_process";
import { createWriteStream, type WriteStream } from "node:fs";
import { appendFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { toError } from "../../src/kernel/errors.ts";
import { spawnGuarded } from "../servers/guarded-child.ts";
import type { Env } from "../support/weir.ts";

const main = path.resolve(import.meta.dirname, "../../src/cli/main.ts");
/** Grace period of a container's supervisor after a stop. Required by the project (library-traps, "Shutdown"). */
const GRACE_MS = 25_000;
/** Time between the end of a process and the start of the next, milliseconds. */
const RESTART_MS = 500;
/** A worker that is busy with its brokers may answer late, or not at all. */
const SCRAPE_MS = 5_000;

/**
 * Statuses with which a process may end by itself, to be restarted: a dead consumer and a stuck worker. A bug may not.
 */
const ownEndStatuses = ["3", "4"];

export interface FleetCounts {
  starts: number;
  kills: number;
  stops: number;
  /** Slowest of the orderly stops, milliseconds. */
  slowestStopMs: number;
  /** Unrequested ends, by exit status. */
  readonly ownEnds: Map<string, number>;
  /** Number of times that a worker's metrics were read. */
  scrapes: number;
}

/** Workers under a supervisor: each one that ends is restarted, whatever the reason. */
export class Fleet {
  readonly counts: FleetCounts = { starts: 0, kills: 0, stops: 0, slowestStopMs: 0, ownEnds: new Map(), scrapes: 0 };
  /** Stops that were not orderly. */
  readonly faults: string[] = [];
  readonly #members: readonly Member[];

  constructor(size: number, env: Env, folder: string) {
    this.#members = Array.from({ length: size }, (_, i) => new Member(i, env, folder, this));
  }

  get size(): number {
    return this.#members.length;
  }

  start(): void {
    for (const member of this.#members) member.start();
  }

  async kill(index: number): Promise<void> {
    await this.#members[index]?.kill();
  }

  /** Resolves once the worker has ended, in order or not. */
  async stop(index: number): Promise<void> {
    await this.#members[index]?.stop();
  }

  /** Stops all workers for good. */
  async close(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.close()));
  }
}

class Member {
  readonly #name: string;
  readonly #env: Env;
  readonly #folder: string;
  readonly #fleet: Fleet;
  readonly #log: WriteStream;
  #child: ChildProcess | undefined;
  /** Whether its process has printed anything. Before that it has no work, and may not handle signals yet. */
  #hasSpoken = false;
  /** The URL of its metrics, once it has printed it. */
  #adminUrl: string | undefined;
  #ended: Promise<string> = Promise.resolve("");
  /** Whether its next end is requested. */
  #isExpected = false;
  /** Whether its next process is started after this one has ended. */
  #isKept = false;

  constructor(index: number, env: Env, folder: string, fleet: Fleet) {
    this.#name = `worker-${index}`;
    this.#env = env;
    this.#folder = folder;
    this.#fleet = fleet;
    this.#log = createWriteStream(path.join(folder, `${this.#name}.log`), { flags: "a" });
  }

  start(): void {
    this.#isKept = true;
    this.#fleet.counts.starts++;
    this.#isExpected = false;
    this.#hasSpoken = false;
    const options = {
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...this.#env },
      stdio: ["ignore", "pipe", "pipe"] as const,
    };
    const child = spawnGuarded(
      process.execPath,
      [main, "worker"],
      { ...options, stdio: [...options.stdio] },
      path.join(this.#folder, `${this.#name}.scratch`),
    );
    this.#note(`starts as ${child.pid}`);
    this.#adminUrl = undefined;
    child.stdout?.on("data", (said: Buffer) => {
      this.#hasSpoken = true;
      this.#adminUrl ??= /"url":"(http:[^"]+)"/.exec(said.toString())?.[1];
    });
    child.stdout?.pipe(this.#log, { end: false });
    child.stderr?.pipe(this.#log, { end: false });
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        const status = String(code ?? signal);
        this.#note(`ended: ${status}`);
        if (!this.#isExpected) this.#countOwnEnd(status);
        this.#child = undefined;
        resolve(status);
        setTimeout(() => this.#isKept && this.start(), RESTART_MS);
      });
    });
  }

  async kill(): Promise<void> {
    const child = await this.#running();
    if (child === undefined) return;
    this.#isExpected = true;
    this.#fleet.counts.kills++;
    this.#note("is killed");
    child.kill("SIGKILL");
    await this.#ended;
  }

  async stop(): Promise<void> {
    const child = await this.#running();
    if (child === undefined) return;
    await this.#keepMetrics();
    const mayDie = !this.#hasSpoken;
    this.#isExpected = true;
    const since = performance.now();
    this.#note("is told to stop");
    child.kill("SIGTERM");
    const late = new AbortController();
    const status = await Promise.race([
      this.#ended,
      delay(GRACE_MS, "too late", { signal: late.signal }).catch(() => "too late"),
    ]);
    late.abort();
    const tookMs = performance.now() - since;
    const { counts, faults } = this.#fleet;
    counts.stops++;
    counts.slowestStopMs = Math.max(counts.slowestStopMs, tookMs);
    if (status !== "0" && !(mayDie && status === "SIGTERM")) {
      faults.push(
        `${this.#name} was told to stop at ${new Date().toISOString()} and ended ${status} after ${Math.round(tookMs)} ms`,
      );
      child.kill("SIGKILL");
      await this.#ended;
    }
  }

  async close(): Promise<void> {
    await this.stop();
    this.#isKept = false;
    this.#log.end();
  }

  /** Reads its metrics before a stop, for the search for secrets. A process that has not begun has none. */
  async #keepMetrics(): Promise<void> {
    if (this.#adminUrl === undefined) return;
    try {
      const answer = await fetch(`${this.#adminUrl}/metrics`, { signal: AbortSignal.timeout(SCRAPE_MS) });
      await appendFile(path.join(this.#folder, `${this.#name}.metrics`), await answer.text());
      this.#fleet.counts.scrapes++;
    } catch (thrown) {
      this.#note(`showed no metrics: ${toError(thrown).message}`);
    }
  }

  /** Its process; during a restart, the next process. */
  async #running(): Promise<ChildProcess | undefined> {
    while (this.#child === undefined && this.#isKept) await delay(20);
    return this.#child;
  }

  #countOwnEnd(status: string): void {
    const { counts, faults } = this.#fleet;
    counts.ownEnds.set(status, (counts.ownEnds.get(status) ?? 0) + 1);
    if (!ownEndStatuses.includes(status)) {
      faults.push(`${this.#name} ended ${status} by itself at ${new Date().toISOString()}`);
    }
  }

  #note(what: string): void {
    if (!this.#log.writableEnded) this.#log.write(`=== ${new Date().toISOString()} ${this.#name} ${what}\n`);
  }
}
