/**
 * Words of other services for the native coin, in small letters. The interface has the literal `native` alone. None of them
 * has the form of a Solana address, so no token can be named like that.
 */
const words: ReadonlySet<string> = new Set(["native", "sol"]);

/** Whether a `token_address` names the native coin: `native` or `SOL`, in small or capital letters. */
export function isNativeCoin(tokenAddress: string): boolean {
  return words.has(tokenAddress.toLowerCase());
}
