import { recordOf } from "../fakes/records.ts";
import { expectedOf } from "./expected.ts";
import type { Dice, Scenario } from "./scenario.ts";
import { undisturbed } from "./undisturbed.ts";

/** Share of seeds. It is small, because each such seed has many events. */
const SHARE = 0.02;

/**
 * The service fails half of the requests. So many questions travel alone that the retry budget cannot pay for all their
 * retries. Nothing else goes wrong.
 *
 * @returns the change of a scenario. Undefined for most seeds.
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
