import { recordOf } from "../fakes/records.ts";
import { expectedOf } from "./expected.ts";
import type { Dice, Scenario } from "./scenario.ts";
import { undisturbed } from "./undisturbed.ts";

/** Of how many seeds. Few: there are many events in each. */
const SHARE = 0.02;

/**
 * The service fails half of what it is asked, and so many questions travel alone that the budget of retries does not pay
 * for all of theirs. Nothing else goes wrong.
 *
 * @returns what a scenario becomes by it; undefined for most seeds.
 */
export function brownOutOf(dice: Dice): ((scenario: Scenario) => Scenario) | undefined {
  if (!dice.chance(SHARE)) return undefined;
  const realtime = dice.pick([0, 0, 0.1]);
  const events = Array.from({ length: dice.int(150, 200) }, () => ({
    type: "address",
    chain_id: "1",
    address: `0x${dice.hex(40)}`,
    checks: ["classification"],
    ...(dice.chance(realtime) ? { lane: "realtime" } : {}),
  }));
  const records = events.map((each, i) => recordOf(each, i + 1));
  return (scenario) => {
    const world = { ...scenario.world, unsupported: undefined };
    return {
      ...scenario,
      ...undisturbed,
      isCalm: false,
      isBrownOut: true,
      records,
      expected: records.map((record) => expectedOf(record, world, scenario.transactions)),
      world,
      faults: { ...undisturbed.faults, failing: 0.5 },
      latencyMs: dice.pick([1, 50, 400]),
      patienceMs: Number.POSITIVE_INFINITY,
    };
  };
}
