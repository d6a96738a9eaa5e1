/** An account at one moment. One that does not exist has no lamports, no data and belongs to the system program. */
export interface AccountState {
  readonly lamports: bigint;
  /** The program that may change it. */
  readonly owner: string;
  readonly executable: boolean;
  readonly data: Uint8Array;
}

/** Accounts by address; one that is not in it does not exist. */
export type Accounts = ReadonlyMap<string, AccountState>;
