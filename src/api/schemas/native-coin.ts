/**
 * Words of other services for the native coin, in lower case. The interface has only the literal `native`. No word has
 * the form of a Solana address, so no token can have such a name.
 */
const words: ReadonlySet<string> = new Set(["native", "sol"]);

/** Whether a `token_address` names the native coin: `native` or `SOL`, in any case. */
export function isNativeCoin(tokenAddress: string): boolean {
  return words.has(tokenAddress.toLowerCase());
}
