import { base58 } from "@scure/base";
import { recordOf } from "../fakes/records.ts";
import { expectedOf } from "./expected.ts";
import type { Dice, Scenario } from "./scenario.ts";

/** Share of seeds. Each such seed has as many events as four others. */
const SHARE = 0.06;

/**
 * A crowd in place of a scenario's events: a few, tens more a moment later, and some again. The events are of EVM and
 * Solana, in both lanes. Each is about another address and has a user of its own. So formats are calibrated while
 * events wait, and meet 429s, failures, hangs and deaths meanwhile. There is nothing else, so the purpose of each
 * request is visible from outside.
 *
 * @returns the change of a scenario. Undefined for most seeds.
 */
export function crowdOf(dice: Dice): ((scenario: Scenario) => Scenario) | undefined {
  if (!dice.chance(SHARE)) return undefined;
  const realtime = dice.pick([0, 0.3, 0.3, 1]);
  const imitating = dice.pick([0, 0.1]);
  const eventOf = (solana: number) => ({
    type: "address",
    ...(dice.chance(realtime) ? { lane: "realtime" } : {}),
    ...(dice.chance(solana) ? onSolana(dice) : onEvm(dice, dice.chance(imitating))),
  });
  // The first wave of a crowd may be too small for a calibration. The next wave would make it large enough.
  const waves = [
    { count: dice.pick([dice.int(1, 6), dice.int(7, 9), dice.int(10, 14)]), solana: dice.pick([0, 0, 0.3, 1]) },
    { count: dice.int(15, 40), solana: dice.pick([0, 0.3, 0.7]) },
    { count: dice.int(0, 12), solana: dice.pick([0, 0.5]) },
  ];
  const gaps = new Map<number, number>();
  const events: ReturnType<typeof eventOf>[] = [];
  for (const { count, solana } of waves) {
    gaps.set(events.length + 1, dice.between(0, dice.pick([10, 600, 3_000])));
    for (let i = 0; i < count; i++) events.push(eventOf(solana));
  }
  return (scenario) =>
    met(
      scenario,
      events.map((event, i) => recordOf(event, i + 1)),
      gaps,
      dice,
    );
}

function onEvm(dice: Dice, isImitation: boolean): object {
  const user = dice.hex(40);
  const target = isImitation ? `${user.slice(0, 3)}${dice.hex(33)}${user.slice(-4)}` : dice.hex(40);
  return { chain_id: dice.pick(["1", "56"]), address: `0x${target}`, user_addresses: [`0x${user}`] };
}

function onSolana(dice: Dice): object {
  const address = () => base58.encode(Uint8Array.from({ length: 32 }, () => dice.int(0, 255)));
  return { chain_id: "solana", address: address(), user_addresses: [address()] };
}

function met(scenario: Scenario, records: Scenario["records"], gaps: Scenario["gaps"], dice: Dice): Scenario {
  const { isCalm, isLimitKnown, transactions } = scenario;
  const world = { ...scenario.world, unsupported: undefined };
  const sometimes = (most: number) => (isCalm ? 0 : dice.pick([0, 0, most / 3, most]));
  return {
    ...scenario,
    isCrowd: true,
    records,
    expected: records.map((record) => expectedOf(record, world, transactions)),
    world,
    gaps,
    faults: {
      // A worker that learns a quota from unrelated answers is down to two requests an hour by 0.6.
      limited: sometimes(isLimitKnown ? 0.6 : 0.3),
      failing: sometimes(0.3),
      hanging: sometimes(0.2),
      deafToCanaries: sometimes(0.3),
      mixedUp: 0,
      itemError: 0,
    },
    latencyMs: dice.pick([1, 50, 400]),
    concurrency: dice.pick([1, 4, 100, 100]),
    bounds: { events: 1_000, span: 1_000, bytes: 800_000 },
    deadlineMs: 30_000,
    arrivalMs: 0,
    revocations: [],
    outages: [],
    wallSteps: [],
  };
}
