/** An account at one moment. A missing account has no lamports and no data, and belongs to the system program. */
export interface AccountState {
  readonly lamports: bigint;
  /** The program that may change the account. */
  readonly owner: string;
  readonly executable: boolean;
  readonly data: Uint8Array;
}

/** Accounts by address. An address without an entry has no account. */
export type Accounts = ReadonlyMap<string, AccountState>;
