import type { Accounts } from "../../chains/solana/accounts/account-state.ts";
import type { Message } from "../../chains/solana/message/message.ts";
import type { TransactionError } from "../../chains/solana/message/transaction-error.ts";

/** An instruction that a program called, all by places among `Simulation.accounts`. */
export interface InnerInstruction {
  readonly program: number;
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
  /** What a node calls it whose bytes it does not tell, where nobody here knows what that is. */
  readonly unread?: string;
}

/** What became of one transaction. Nothing of it stays. */
export interface Simulation {
  /** The slot whose state it ran on. */
  readonly slot: number;
  /** Undefined when it succeeded. */
  readonly error: TransactionError | undefined;
  readonly computeUnits: number;
  /** All accounts in the order of their places; undefined for those in tables that nobody could read. */
  readonly accounts: readonly (string | undefined)[];
  /** For each instruction of the message what was called under it, in the order of the calls, at any depth. */
  readonly inner: readonly (readonly InnerInstruction[])[];
  /** The accounts that may be written, as they were; those that are not there did not exist. */
  readonly before: Accounts;
  /** The same accounts as they would be; as before when the transaction failed. */
  readonly after: Accounts;
  /** The mints of all token accounts among them. */
  readonly mints: Accounts;
}

/** Runs transactions without signatures or a valid blockhash, and keeps nothing of what they do. */
export interface Simulator {
  /**
   * One result a message, in order. Each starts from the same state; in a `sequence` each from what those before it left.
   * What cannot be simulated at all is a failure of all of them, as the interface names it.
   */
  simulate(messages: readonly Message[], sequence: boolean): Promise<Simulated>;
}

export type Simulated =
  | { readonly ok: true; readonly simulations: readonly Simulation[] }
  | { readonly ok: false; readonly failure: "badGateway" | "gatewayTimeout"; readonly detail: string };
