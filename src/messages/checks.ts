/** The checks of a subject. The worker itself answers the last three. */
export const checks = [
  "poisoning",
  "token-security",
  "classification",
  "solana-simulation",
  "tron-security",
  "evm-security",
  // Whether a displayed transaction matches the bytes that are signed.
  "tron-integrity",
  // Whether a loaded list holds an address of the event.
  "listed",
  // Whether a payment is lost or goes to a wrong recipient, by its calldata alone.
  "payment",
] as const;
export type Check = (typeof checks)[number];
