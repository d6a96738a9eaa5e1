import { recordOf } from "../fakes/records.ts";
import { expectedOf } from "./expected.ts";
import type { Dice, Scenario } from "./scenario.ts";
import { undisturbed } from "./undisturbed.ts";

/** Share of seeds. */
const SHARE = 0.03;

/**
 * A crowd that gets its batched answers before a canary fails. Many events then lack the analysis of a token and get it
 * later. Some get it by a ticket, in this process or the next. Where that operation is down, the next run over the
 * verdicts brings it. Some late events repeat earlier questions. Nothing else goes wrong.
 *
 * @returns the change of a scenario. Undefined for most seeds.
 */
export function lateSilenceOf(dice: Dice): ((scenario: Scenario) => Scenario) | undefined {
  if (!dice.chance(SHARE)) return undefined;
  const address = () => `0x${dice.hex(40)}`;
  const realtime = dice.pick([0, 0.5, 1]);
  const isDown = dice.chance(0.4);
  const tokens = Array.from({ length: 4 }, address);
  const event = () => ({
    type: "address",
    chain_id: "1",
    address: address(),
    user_addresses: [address()],
    ...(dice.chance(0.6) ? { token_address: dice.pick(tokens) } : {}),
    ...(dice.chance(realtime) ? { lane: "realtime" } : {}),
  });
  const first = Array.from({ length: dice.int(10, 16) }, event);
  const second = Array.from({ length: dice.int(2, 6) }, event);
  const third = Array.from({ length: dice.int(2, 6) }, () => (dice.chance(0.7) ? dice.pick(first) : event()));
  const gaps = new Map([
    [first.length + 1, dice.between(0, isDown ? 40_000 : 5_000)],
    [first.length + second.length + 1, dice.between(0, 40_000)],
  ]);
  // The longest analysis takes more tickets than an event has, and is ready by the next run.
  const analyses = tokens.map((token) => [token, dice.pick([40_000, 60_000, 240_000])] as const);
  const analysisMs = new Map(isDown ? [] : analyses);
  return (scenario) => {
    const world = {
      ...scenario.world,
      refused: new Set<string>(),
      unsupported: undefined,
      badTokens: new Map(),
      analysisMs,
    };
    const records = [...first, ...second, ...third].map((each, i) => recordOf(each, i + 1));
    return {
      ...scenario,
      ...undisturbed,
      isCalm: false,
      downRoute: isDown ? "tokenSecurity" : undefined,
      records,
      expected: records.map((record) => expectedOf(record, world, scenario.transactions)),
      world,
      gaps,
      faults: { ...undisturbed.faults, deafToCanaries: 0.5 },
      concurrency: 16,
      latencyMs: dice.pick([50, 400]),
      patienceMs: 600_000,
      deadlineMs: 30_000,
      cacheBytes: 1_000_000,
      stops: dice.chance(0.7) ? [dice.between(5_000, 60_000)] : [],
      arrivalMs: 0,
    };
  };
}
