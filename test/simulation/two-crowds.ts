import type { Dice, Scenario } from "./scenario.ts";

/** Share of seeds. */
const SHARE = 0.08;

/** Two crowds of events, and the faults of the service that make them collide. */
export interface TwoCrowds {
  readonly events: readonly Readonly<Record<string, unknown>>[];
  /** Addresses of the second crowd for which the service refuses a whole request. */
  readonly refused: readonly string[];
  readonly meet: (scenario: Scenario) => Scenario;
}

/**
 * Two crowds that share no request, because their users are alike. So two large requests are in flight at once. The
 * canaries of one request rarely get an answer, and the other request is refused for one or two addresses. So batching
 * is found unusable while the halves of a request in flight would be batched next.
 */
export function twoCrowds(dice: Dice): TwoCrowds | undefined {
  if (!dice.chance(SHARE)) return undefined;
  const user = `0x${dice.hex(40)}`;
  const alike = `${user.slice(0, 6)}${dice.hex(32)}${user.slice(-4)}`;
  const fresh = (count: number) => Array.from({ length: count }, () => `0x${dice.hex(40)}`);
  const [first, second] = [fresh(dice.int(4, 8)), fresh(dice.int(6, 12))];
  const about = (whose: string) => (address: string) => ({
    type: "address",
    chain_id: "1",
    address,
    user_addresses: [whose],
  });
  const events = [...first.map(about(user)), ...second.map(about(alike))];
  return { events, refused: second.slice(0, dice.int(1, 2)), meet: met };
}

/** Nothing else goes wrong, because other faults would make this rare collision even rarer. */
function met(scenario: Scenario): Scenario {
  return {
    ...scenario,
    faults: { limited: 0, failing: 0, hanging: 0, mixedUp: 0, itemError: 0, deafToCanaries: 0.5 },
    bounds: { events: 1_000, span: 1_000, bytes: 800_000 },
    limit: undefined,
    latencyMs: 3_000,
    timeoutMs: 10_000,
    concurrency: 16,
    revocations: [],
    outages: [],
    deaths: [],
    stops: [],
    diskFails: 0,
    arrivalMs: 0,
  };
}
