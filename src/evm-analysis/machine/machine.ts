/** A call of the contract. */
export interface MachineCall {
  readonly from: bigint;
  readonly data: Uint8Array;
  /** Whether reads of storage are told, which makes a call several times slower. */
  readonly traced?: boolean;
}

/** What came of a call. */
export interface MachineResult {
  /** False when it reverted, ran out of gas or was no valid code. */
  readonly ok: boolean;
  /** The first word that was returned; undefined when less came back. */
  readonly word: bigint | undefined;
  /** Storage words of the contract that were read, in order, each once; none when the call was not traced. */
  readonly reads: readonly bigint[];
}

/** A contract alone in the world: no other code, empty storage but for what is written. Every call is bounded in gas. */
export interface Machine {
  /** Runs a call; what it changes stays. Never rejects for what the code does. */
  call(call: MachineCall): Promise<MachineResult>;
  write(key: bigint, value: bigint): Promise<void>;
  /** Runs `act`, then undoes every change that it made. */
  apart<T>(act: () => Promise<T>): Promise<T>;
}
