import { recordOf } from "../fakes/records.ts";
import { expectedOf } from "./expected.ts";
import type { Dice, Scenario } from "./scenario.ts";
import { undisturbed } from "./undisturbed.ts";

/** Share of seeds. */
const SHARE = 0.03;

/**
 * One operation of the service answers nothing, and more events need it than the breaker tolerates. A few later events
 * need another operation, in the lane with fewer events. Nothing else goes wrong, so every wait has this cause.
 *
 * @returns the change of a scenario. Undefined for most seeds.
 */
export function partlyDownOf(dice: Dice): ((scenario: Scenario) => Scenario) | undefined {
  if (!dice.chance(SHARE)) return undefined;
  const downRoute = dice.pick(["poisoning", "tokenSecurity"] as const);
  const address = () => `0x${dice.hex(40)}`;
  const onToken = () => ({ token_address: address() });
  const lane = dice.pick(["realtime", "backfill"]);
  const event = (own: object) => ({ type: "address", chain_id: "1", address: address(), ...own });
  const failing = Array.from({ length: dice.int(11, 20) }, () =>
    event({ lane, ...(downRoute === "tokenSecurity" ? onToken() : {}) }),
  );
  const others = Array.from({ length: dice.int(1, 4) }, () => event(downRoute === "poisoning" ? onToken() : {}));
  const gaps = new Map([[failing.length + 1, dice.between(0, 10_000)]]);
  return (scenario) => {
    const { transactions } = scenario;
    const world = { ...scenario.world, unsupported: undefined, analysisMs: new Map() };
    const records = [...failing, ...others].map((each, i) => recordOf(each, i + 1));
    return {
      ...scenario,
      ...undisturbed,
      isCalm: false,
      downRoute,
      records,
      expected: records.map((record) => expectedOf(record, world, transactions)),
      world,
      gaps,
      latencyMs: dice.pick([50, 400]),
      patienceMs: downRoute === "poisoning" ? 600_000 : 30_000,
      deadlineMs: 30_000,
      arrivalMs: 0,
    };
  };
}
