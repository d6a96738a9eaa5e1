/** A call of the contract. */
export interface MachineCall {
  readonly from: bigint;
  readonly data: Uint8Array;
  /** Whether reads of storage are recorded, which makes a call several times slower. */
  readonly traced?: boolean;
}

/** The result of a call. */
export interface MachineResult {
  /** False when the call reverted, ran out of gas or met invalid code. */
  readonly ok: boolean;
  /** The first returned word. Undefined when less than a word was returned. */
  readonly word: bigint | undefined;
  /** Storage words of the contract that the call read, in order, each once. Empty when the call was not traced. */
  readonly reads: readonly bigint[];
}

/**
 * A contract without any other code around it. Its storage is empty except for written words. Every call is bounded in
 * gas.
 */
export interface Machine {
  /** Runs a call and keeps its changes. Never rejects because of the code. */
  call(call: MachineCall): Promise<MachineResult>;
  write(key: bigint, value: bigint): Promise<void>;
  /** Runs `act`, then undoes all its changes. */
  apart<T>(act: () => Promise<T>): Promise<T>;
}
