/** The retry topics, by the longest delay of each, milliseconds. Source: docs/decisions/0006-pacing.md. */
const tiers = [
  { name: "10s", maxDelayMs: 10_000 },
  { name: "1m", maxDelayMs: 60_000 },
  { name: "10m", maxDelayMs: 600_000 },
] as const;

export type Tier = (typeof tiers)[number]["name"];

/** The longest wait on one topic, milliseconds. A longer wait continues on the same topic. */
export const MAX_DELAY_MS = 600_000;

/** The tier of a delay. */
export function tierOf(delayMs: number): Tier {
  return (tiers.find(({ maxDelayMs }) => delayMs <= maxDelayMs) ?? tiers[2]).name;
}

/** The longest delay of a tier. */
export function maxDelayMs(tier: Tier): number {
  return (tiers.find(({ name }) => name === tier) ?? tiers[2]).maxDelayMs;
}

/**
 * Delay until a question that the service failed to answer is asked again: short at first, then longer.
 *
 * @param failures before this one.
 */
export function failuresLaterMs(failures: number): number {
  return (tiers[failures] ?? tiers[2]).maxDelayMs;
}
