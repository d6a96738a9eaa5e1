import type { MessagePort } from "node:worker_threads";
import { readMessageAlone } from "../../../chains/solana/message/message.ts";
import { toError } from "../../../kernel/errors.ts";
import type { Simulation } from "../../../service/solana-transactions/simulator.ts";
import type { AccountsAtSlot } from "../node/solana-node.ts";
import { type PackedSimulations, packSimulations } from "./simulation-bytes.ts";
import type { Snapshot } from "./snapshot.ts";
import { VirtualMachine } from "./virtual-machine.ts";

/** A job of a thread, with its messages as they are signed. */
export interface Job {
  readonly messages: readonly Uint8Array[];
  readonly sequence: boolean;
  /** The accounts that replace those of the snapshot. */
  readonly over?: AccountsAtSlot;
}

/** A job on its way to a thread: its concatenated messages, and the end of each. */
export interface PackedJob {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: readonly number[];
  readonly sequence: boolean;
  readonly over: AccountsAtSlot | undefined;
}

export type JobResult =
  | { readonly ok: true; readonly simulations: readonly Simulation[] }
  | { readonly ok: false; readonly detail: string };

/**
 * A result on its way back. `isFull` requests a replacement of the thread: only the end of the thread releases its
 * memory.
 */
export type PackedResult = { readonly isFull: boolean } & (
  | ({ readonly ok: true } & PackedSimulations)
  | Extract<JobResult, { ok: false }>
);

/**
 * Most code that one thread loads, bytes: some dozen large programs. Compiled code takes about seven times that memory.
 */
const MAX_CODE_BYTES = 32 * 1024 * 1024;

/** Answers the jobs of `port` one after the other, on one machine for all jobs. */
export function runThread(port: MessagePort, snapshot: Snapshot): void {
  const machine = new VirtualMachine(snapshot);
  port.on("message", (job: PackedJob) => {
    const result = runJob(unpackJob(job), machine);
    const isFull = machine.codeBytes > MAX_CODE_BYTES;
    if (!result.ok) return port.postMessage({ ...result, isFull } satisfies PackedResult);
    const packed = packSimulations(result.simulations);
    port.postMessage({ ok: true, ...packed, isFull } satisfies PackedResult, [packed.bytes.buffer]);
  });
}

/** Runs one job on one machine. */
export function runJob({ messages, sequence, over }: Job, machine: VirtualMachine): JobResult {
  try {
    const read = messages.map(readMessageAlone).flatMap((each) => (each.ok ? [each.value] : []));
    const simulations =
      over === undefined ? machine.simulate(read, sequence) : machine.simulateOver(over, read, sequence);
    return { ok: true, simulations };
  } catch (thrown) {
    // The library throws for unsupported input. The thread still serves the next job.
    return { ok: false, detail: toError(thrown).message };
  }
}

/** Packs a job: many small pieces of memory take longer to send than to simulate. */
export function packJob({ messages, sequence, over }: Job): PackedJob {
  const ends: number[] = [];
  let end = 0;
  for (const { length } of messages) {
    end += length;
    ends.push(end);
  }
  const bytes = new Uint8Array(end);
  for (const [i, message] of messages.entries()) bytes.set(message, ends[i - 1] ?? 0);
  return { bytes, ends, sequence, over };
}

function unpackJob({ bytes, ends, sequence, over }: PackedJob): Job {
  const messages = ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
  return { messages, sequence, ...(over === undefined ? {} : { over }) };
}
