/** Whether source that compiles to a contract's code is public. `unknown`: no register was asked, or none answered. */
export type Verification = "verified" | "unverified" | "unknown";

/** A register of verified sources. */
export interface Verifier {
  /**
   * Returns the verification of `address`. It is `unknown` when the register does not answer. @throws only
   * `signal.reason`.
   */
  verificationOf(chainId: string, address: string, signal: AbortSignal): Promise<Verification>;
}
