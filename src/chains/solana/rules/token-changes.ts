/** The balance of one holder before and after, in the smallest unit. */
export interface Change {
  readonly holder: string;
  readonly begin: bigint;
  readonly end: bigint;
}

/** The balance changes of one token, or of the native coin with the mint `native`. */
export interface TokenChanges {
  readonly mint: string;
  /** Undefined when no account tells the decimals of the mint. */
  readonly decimals: number | undefined;
  readonly changes: readonly Change[];
}

/** The change of one asset of one holder. */
export interface OwnChange {
  readonly mint: string;
  readonly decimals: number | undefined;
  readonly change: Change;
}

export const NATIVE = "native";
export const NATIVE_DECIMALS = 9;

/** Lamports (0.02 SOL) that the rents and fees of an ordinary transaction may take. */
export const SMALL_CHANGE = 20_000_000n;

/** The assets of one holder with a changed balance. */
export function ownChanges(who: string, changes: readonly TokenChanges[]): readonly OwnChange[] {
  return changes.flatMap(({ mint, decimals, changes: all }) =>
    all.filter(({ holder }) => holder === who).map((change) => ({ mint, decimals, change })),
  );
}
