import type { FileRecord } from "../../adapters/files/input/records.ts";
import type { Unfinished } from "../../adapters/files/input/unfinished.ts";
import { abortable } from "../../kernel/async.ts";
import type { Clock } from "../../kernel/clock.ts";
import { InputUnreadableError, OutputUnwritableError } from "../../kernel/errors.ts";
import type { Publisher } from "../../kernel/stream.ts";
import { linesText } from "../terminal/unfinished-text.ts";
import { chained, type Enqueued, EnqueueWindow, NOTHING } from "./enqueue-window.ts";
import { enqueuedRecord } from "./enqueued-record.ts";
import type { Rate } from "./rate.ts";

export interface EnqueueDeps {
  readonly records: AsyncIterable<FileRecord>;
  /** Lines at the end of the file that make no record yet, once all records are read. */
  readonly waiting?: () => Unfinished | undefined;
  readonly topic: string;
  /** The progress of an earlier run. */
  readonly begun: Enqueued;
  readonly publisher: Publisher;
  readonly clock: Clock;
  readonly rate?: Rate | undefined;
  /** Makes the progress durable. */
  readonly keep: (done: Enqueued) => Promise<void>;
  /** Called for every line that is no event. */
  readonly onBad: (line: number, detail: string) => void;
  /** Ends the run in order: no line is read any more, records in flight may end, and the progress is kept. */
  readonly stop: AbortSignal;
}

const KEEP_EVERY_MS = 1_000;
/** Longest wait for records in flight after the stop, milliseconds. */
const DRAIN_MS = 15_000;
/**
 * How long the brokers may accept no record, milliseconds. Guessed: twice the time that a cluster needs to elect new
 * leaders.
 */
const PATIENCE_MS = 120_000;

/**
 * Sends the lines of a file that are not enqueued yet, in order. It keeps the last line up to which all lines are
 * durable.
 */
export class EnqueueLines {
  readonly #deps: EnqueueDeps;
  readonly #window: EnqueueWindow;
  readonly #failed = Promise.withResolvers<never>();
  #idle: PromiseWithResolvers<void> | undefined;
  #progressAt: number;
  #kept: Enqueued;
  #sent = 0;
  #bad = 0;

  constructor(deps: EnqueueDeps) {
    this.#deps = deps;
    this.#window = new EnqueueWindow(deps.begun);
    this.#kept = deps.begun;
    this.#progressAt = deps.clock.ticks();
    this.#failed.promise.catch(() => undefined);
  }

  /** Events that this run was the first to send. */
  get sent(): number {
    return this.#sent;
  }

  /** Lines that are no events, including those that an earlier run sent. */
  get bad(): number {
    return this.#bad;
  }

  /** The last line up to which every line is durable. */
  get done(): Enqueued {
    return this.#window.done;
  }

  /**
   * @throws {InputUnreadableError | OutputUnwritableError} or the reason of `stop`. The progress is kept in that case,
   * too.
   */
  async run(): Promise<void> {
    const { stop } = this.#deps;
    const ended = new AbortController();
    const keeping = this.#keepOn(ended.signal).catch((thrown: unknown) => this.#fail(thrown));
    try {
      try {
        await Promise.race([this.#sendAll(), this.#failed.promise]);
      } finally {
        await Promise.race([this.#drained(), this.#failed.promise]);
      }
    } finally {
      ended.abort();
      await keeping;
      await this.#keep();
    }
    stop.throwIfAborted();
  }

  async #sendAll(): Promise<void> {
    const { records, begun, clock, rate, stop } = this.#deps;
    let earlier: Enqueued | undefined = NOTHING;
    const unlessStopped = (thrown: unknown) => {
      if (!stop.aborted) throw thrown;
    };
    for await (const record of records) {
      if (stop.aborted) return;
      const { key, value } = enqueuedRecord(record, record.isEventJson);
      const { line } = record.source;
      this.#countBad(record);
      if (line <= begun.lines && earlier !== undefined) {
        earlier = { lines: line, sha256: chained(earlier.sha256, line, value) };
        continue;
      }
      if (earlier !== undefined) earlier = refuseOther(earlier, begun);
      const waitMs = rate?.turn(clock.ticks()) ?? 0;
      if (waitMs >= 1) await clock.sleep(waitMs, stop).catch(() => undefined);
      const room = this.#window.room();
      if (room !== undefined) await abortable(room, stop).catch(unlessStopped);
      if (stop.aborted) return;
      this.#send(line, key, value);
    }
    if (earlier !== undefined && !stop.aborted) refuseOther(earlier, begun, this.#deps.waiting?.());
  }

  #send(line: number, key: string, value: Uint8Array): void {
    const { publisher, topic, clock } = this.#deps;
    if (this.#window.inFlight === 0) this.#progressAt = clock.ticks();
    this.#window.begin(line, value);
    publisher
      .publish({ topic, key, value, headers: {} })
      .then(() => this.#isDurable(line))
      .catch((thrown: unknown) => this.#fail(thrown));
  }

  #isDurable(line: number): void {
    this.#sent++;
    this.#progressAt = this.#deps.clock.ticks();
    this.#window.end(line);
    if (this.#window.inFlight === 0) this.#idle?.resolve();
  }

  #fail(thrown: unknown): void {
    this.#failed.reject(thrown);
    this.#window.fail(thrown);
  }

  #countBad({ event, source }: FileRecord): void {
    if (event.ok) return;
    this.#bad++;
    this.#deps.onBad(source.line, event.detail);
  }

  /** Resolves once no record is in flight. After the stop it waits for a limited time only. */
  async #drained(): Promise<void> {
    const { clock, stop } = this.#deps;
    if (this.#window.inFlight === 0) return;
    this.#idle = Promise.withResolvers();
    const told = Promise.withResolvers<void>();
    stop.addEventListener("abort", () => told.resolve(), { once: true });
    if (stop.aborted) told.resolve();
    const woken = new AbortController();
    const late = told.promise.then(() => clock.sleep(DRAIN_MS, woken.signal)).catch(() => undefined);
    await Promise.race([this.#idle.promise, late]);
    woken.abort();
  }

  async #keepOn(ended: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    while (!ended.aborted) {
      await this.#keep();
      if (this.#window.inFlight > 0 && clock.ticks() - this.#progressAt > PATIENCE_MS) {
        throw new OutputUnwritableError(
          `the brokers took nothing for ${PATIENCE_MS / 1_000} s: see to them; the same command continues the run`,
        );
      }
      await clock.sleep(KEEP_EVERY_MS, ended).catch(() => undefined);
    }
  }

  async #keep(): Promise<void> {
    const { done } = this.#window;
    if (done.lines === this.#kept.lines) return;
    await this.#deps.keep(done);
    this.#kept = done;
  }
}

/** @throws {InputUnreadableError} when the lines that an earlier run sent differ from the present lines. */
function refuseOther(found: Enqueued, begun: Enqueued, waiting?: Unfinished): undefined {
  if (found.lines === begun.lines && found.sha256 === begun.sha256) return undefined;
  if (waiting !== undefined && waiting.from <= begun.lines) {
    throw new InputUnreadableError(
      `the end of the file was enqueued before and may still grow (${linesText(waiting)}): give --finished if nothing more comes, or name another --state`,
    );
  }
  throw new InputUnreadableError(
    found.lines < begun.lines
      ? `line ${begun.lines} was enqueued before, and is no longer there: put the file back, or name another --state`
      : `the lines up to ${begun.lines} are not those that were enqueued before (another file, or other flags): put them back, or name another --state`,
  );
}
