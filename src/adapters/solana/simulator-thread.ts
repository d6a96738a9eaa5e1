import type { MessagePort } from "node:worker_threads";
import { readMessageAlone } from "../../chains/solana/message.ts";
import { toError } from "../../kernel/errors.ts";
import type { Simulation } from "../../service/solana-emulate/simulator.ts";
import type { Snapshot } from "./snapshot.ts";
import type { AccountsAtSlot } from "./solana-node.ts";
import { VirtualMachine } from "./virtual-machine.ts";

/** What a thread is asked, with its messages as they are signed. */
export interface Job {
  readonly messages: readonly Uint8Array[];
  readonly sequence: boolean;
  /** What the accounts are, in place of the snapshot's. */
  readonly over?: AccountsAtSlot;
}

export type JobResult =
  | { readonly ok: true; readonly simulations: readonly Simulation[] }
  | { readonly ok: false; readonly detail: string };

/** Answers each job that comes through `port`, one after the other, with one machine that it keeps for all of them. */
export function runThread(port: MessagePort, snapshot: Snapshot): void {
  const machine = new VirtualMachine(snapshot);
  port.on("message", (job: Job) => port.postMessage(runJob(job, machine)));
}

/** One job on one machine. */
export function runJob({ messages, sequence, over }: Job, machine: VirtualMachine): JobResult {
  try {
    const read = messages.map(readMessageAlone).flatMap((each) => (each.ok ? [each.value] : []));
    const simulations =
      over === undefined ? machine.simulate(read, sequence) : machine.simulateOver(over, read, sequence);
    return { ok: true, simulations };
  } catch (thrown) {
    // The library throws for what it does not support; the thread serves the next one all the same.
    return { ok: false, detail: toError(thrown).message };
  }
}
