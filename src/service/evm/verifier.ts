/** Whether source that compiles to a contract's code is public. `unknown`: nobody who could tell was asked, or answered. */
export type Verification = "verified" | "unverified" | "unknown";

/** A register of verified sources. */
export interface Verifier {
  /** What the register says of `address`, `unknown` when it does not answer. @throws only `signal.reason`. */
  verificationOf(chainId: string, address: string, signal: AbortSignal): Promise<Verification>;
}
