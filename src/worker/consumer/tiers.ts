/** The retry topics, by the longest delay that each takes, milliseconds. Source: docs/decisions/0006-pacing.md. */
const tiers = [
  { name: "10s", maxDelayMs: 10_000 },
  { name: "1m", maxDelayMs: 60_000 },
  { name: "10m", maxDelayMs: 600_000 },
] as const;

export type Tier = (typeof tiers)[number]["name"];

/** The longest wait on one topic: a longer one goes on there. */
export const MAX_DELAY_MS = 600_000;

/** The tier of a delay. */
export function tierOf(delayMs: number): Tier {
  return (tiers.find(({ maxDelayMs }) => delayMs <= maxDelayMs) ?? tiers[2]).name;
}

/** The longest delay that a tier takes. */
export function maxDelayMs(tier: Tier): number {
  return (tiers.find(({ name }) => name === tier) ?? tiers[2]).maxDelayMs;
}

/** When what the service failed is asked about again: soon at first, then ever later. @param failures before this one. */
export function failuresLaterMs(failures: number): number {
  return (tiers[failures] ?? tiers[2]).maxDelayMs;
}
