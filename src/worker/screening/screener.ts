import type { AnswersDeps } from "../checks/answers.ts";
import type { InputRecord } from "../ports.ts";
import { DeadlineWatch } from "./deadline-watch.ts";
import { OverdueGrace } from "./overdue-grace.ts";
import { laneOf, type ScreenDeps, ScreeningTask, type Settling } from "./screening-task.ts";

const promised: Settling<PromiseWithResolvers<void>> = {
  settled: ({ resolve }) => resolve(),
  failed: ({ reject }, thrown) => reject(thrown),
};

/**
 * Screens records, with a promise for each that resolves when the record is settled. It rejects only for a bug, an
 * abort, or the end of the run.
 */
export function screening(deps: ScreenDeps): (record: InputRecord) => Promise<void> {
  const screener = new Screener(deps, promised);
  return (record) => {
    const settling = Promise.withResolvers<void>();
    screener.screen(record, settling);
    return settling.promise;
  };
}

/**
 * Screens many records at once: read -> plan -> ask -> decide -> publish. A record is settled by its verdict, or by a
 * ticket that brings it back. An overdue event gets both: a provisional UNKNOWN, and a ticket for the next revision. A
 * record of a lost partition gets neither: the partition's new process writes the same verdict.
 */
export class Screener<P> {
  readonly deps: ScreenDeps & AnswersDeps;
  readonly settling: Settling<P>;
  readonly grace: OverdueGrace;
  /** The write that took the last verdict along, and everyone who waits for it. */
  #write: Promise<void> | undefined;
  #waiting: ScreeningTask<P>[] = [];

  constructor(deps: ScreenDeps, settling: Settling<P>) {
    this.deps = { ...deps, deadlines: new DeadlineWatch(deps.clock) };
    this.grace = new OverdueGrace(deps);
    this.settling = settling;
  }

  screen(record: InputRecord, place: P): void {
    try {
      if (record.ticket?.attempt === undefined) this.deps.observer.event(laneOf(record));
      new ScreeningTask(record, place, this).begin();
    } catch (thrown) {
      this.settling.failed(place, thrown);
    }
  }

  /** Notifies `screening` when `write` is done. A sink that writes many lines at once has one promise for all lines. */
  settle(write: Promise<void>, screening: ScreeningTask<P>): void {
    if (write === this.#write) {
      this.#waiting.push(screening);
      return;
    }
    const waiting = [screening];
    this.#write = write;
    this.#waiting = waiting;
    write.then(
      () => {
        this.#end(write);
        const now = this.deps.clock.now();
        for (const each of waiting) each.written(now);
      },
      (thrown: unknown) => {
        this.#end(write);
        for (const each of waiting) each.failed(thrown);
      },
    );
  }

  #end(write: Promise<void>): void {
    if (this.#write !== write) return;
    this.#write = undefined;
    // Releases the written verdicts before the next write.
    this.#waiting = [];
  }
}
