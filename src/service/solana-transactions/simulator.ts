import type { Accounts } from "../../chains/solana/accounts/account-state.ts";
import type { Message } from "../../chains/solana/message/message.ts";
import type { TransactionError } from "../../chains/solana/message/transaction-error.ts";

/** An instruction that a program called. `program` and `accounts` are positions in `Simulation.accounts`. */
export interface InnerInstruction {
  readonly program: number;
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
  /** The node's name for an unknown instruction, when the node does not return its bytes. */
  readonly unread?: string;
}

/** The result of one simulated transaction. The simulation changes nothing on the chain. */
export interface Simulation {
  /** The slot with the state that the transaction ran on. */
  readonly slot: number;
  /** Undefined when the simulation succeeded. */
  readonly error: TransactionError | undefined;
  readonly computeUnits: number;
  /** All accounts in the order of their positions. Undefined for accounts in lookup tables that could not be read. */
  readonly accounts: readonly (string | undefined)[];
  /** For each instruction of the message: the instructions called under it, in the order of the calls, at any depth. */
  readonly inner: readonly (readonly InnerInstruction[])[];
  /** The writable accounts before the transaction. A missing account did not exist. */
  readonly before: Accounts;
  /** The writable accounts after the transaction. Equal to `before` when the transaction failed. */
  readonly after: Accounts;
  /** The mints of all token accounts in `before` and `after`. */
  readonly mints: Accounts;
}

/** Runs transactions without signatures or a valid blockhash, and discards their effects. */
export interface Simulator {
  /**
   * Returns one result per message, in the order of the messages. Each message starts from the same state. In a
   * `sequence`, each starts from the state that the earlier messages left. When the simulator cannot run, the whole
   * call fails with a failure of the interface.
   */
  simulate(messages: readonly Message[], sequence: boolean): Promise<Simulated>;
}

export type Simulated =
  | { readonly ok: true; readonly simulations: readonly Simulation[] }
  | { readonly ok: false; readonly failure: "badGateway" | "gatewayTimeout"; readonly detail: string };
