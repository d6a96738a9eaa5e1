import type { Verdict } from "../events/verdict.ts";
import type { InputRecord, VerdictSink } from "./ports.ts";
import { type ScreenDeps, screenRecord } from "./screen-record.ts";

export interface LoopDeps extends ScreenDeps {
  readonly sink: VerdictSink;
  /** Records in flight at once: read, and not yet written. Bounds memory whatever the backlog. */
  readonly maxInFlight: number;
  /** Told of each verdict once it is written. */
  readonly onSettled: (verdict: Verdict) => void;
}

/**
 * Reads records one after the other and screens up to `maxInFlight` of them at once; verdicts are written as they
 * come, so their order is not the order of the input. A record is read only when there is room for it.
 *
 * @throws the first error of the input, the sink or a bug, after everything in flight has ended; `signal.reason` when aborted.
 */
export async function runLoop(records: AsyncIterable<InputRecord>, deps: LoopDeps, signal: AbortSignal): Promise<void> {
  const inFlight = new Set<Promise<void>>();
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  let failure: { readonly thrown: unknown } | undefined;
  const settle = async (record: InputRecord): Promise<void> => {
    try {
      const verdict = await screenRecord(record, deps, stop);
      await deps.sink.write(verdict);
      deps.onSettled(verdict);
    } catch (thrown) {
      failure ??= { thrown };
      // The others cannot be written any more, so nobody waits for them.
      failed.abort(thrown);
    }
  };
  try {
    for await (const record of records) {
      const work = settle(record).finally(() => inFlight.delete(work));
      inFlight.add(work);
      if (inFlight.size >= deps.maxInFlight) await Promise.race(inFlight);
      if (stop.aborted) break;
    }
  } finally {
    await Promise.all(inFlight);
  }
  // What the abort tore is no news beside its reason.
  signal.throwIfAborted();
  if (failure !== undefined) throw failure.thrown;
}
