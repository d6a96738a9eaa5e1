/** The questions that can be asked about a subject, of the service but for the last one. */
export const checks = [
  "poisoning",
  "token-security",
  "classification",
  "solana-simulation",
  "tron-security",
  "evm-security",
  // Made by the worker itself: whether a transaction shows what would be signed.
  "tron-integrity",
] as const;
export type Check = (typeof checks)[number];
