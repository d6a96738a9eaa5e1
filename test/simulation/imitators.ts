import { recordOf } from "../fakes/records.ts";
import { expectedOf } from "./expected.ts";
import type { Dice, Scenario } from "./scenario.ts";
import { undisturbed } from "./undisturbed.ts";

/** Share of seeds. */
const SHARE = 0.03;

/**
 * Events keep coming. Half of them imitate the user of the event before, and one request is in flight at once. So
 * confirmations of flags wait beside new questions. Nothing goes wrong, and all events are of one chain and of the
 * backfill.
 *
 * @returns the change of a scenario. Undefined for most seeds.
 */
export function imitatorsOf(dice: Dice): ((scenario: Scenario) => Scenario) | undefined {
  if (!dice.chance(SHARE)) return undefined;
  let before = dice.hex(40);
  const events = Array.from({ length: dice.int(60, 90) }, () => {
    const user = dice.hex(40);
    const target = dice.chance(0.5) ? `${before.slice(0, 3)}${dice.hex(33)}${before.slice(-4)}` : dice.hex(40);
    before = user;
    return { type: "address", chain_id: "1", address: `0x${target}`, user_addresses: [`0x${user}`] };
  });
  const records = events.map((each, i) => recordOf(each, i + 1));
  return (scenario) => {
    const world = { ...scenario.world, unsupported: undefined, blindBeyondUsers: Number.POSITIVE_INFINITY };
    return {
      ...scenario,
      ...undisturbed,
      isCalm: true,
      confirmsInTurn: true,
      records,
      expected: records.map((record) => expectedOf(record, world, scenario.transactions)),
      world,
      concurrency: 1,
      latencyMs: 400,
      patienceMs: Number.POSITIVE_INFINITY,
      arrivalMs: dice.pick([100, 300]),
    };
  };
}
