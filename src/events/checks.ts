/** The questions that can be put to the service about a subject. */
export const checks = ["poisoning", "token-security", "classification", "solana-simulation", "tron-security"] as const;
export type Check = (typeof checks)[number];
