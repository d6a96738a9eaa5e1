/** The questions that can be asked about a subject. The worker answers the last three itself. */
export const checks = [
  "poisoning",
  "token-security",
  "classification",
  "solana-simulation",
  "tron-security",
  "evm-security",
  // Whether a transaction shows what would be signed.
  "tron-integrity",
  // Whether a loaded list holds an address of the event.
  "listed",
  // Whether a payment is lost or goes where no payment should go, by its calldata alone.
  "payment",
] as const;
export type Check = (typeof checks)[number];
