import { describe, expect, test } from "vitest";
import type { PoisoningBatchRequest } from "../../../../src/api/schemas/address-poisoning.ts";
import { formatOf } from "../../../../src/chains/address-format.ts";
import type { Random } from "../../../../src/kernel/retry.ts";
import { partsOf } from "../../../../src/worker/batching/batch-entry.ts";
import { canaryPairs } from "../../../../src/worker/batching/calibration/canary-pairs.generated.ts";
import { batchPositions } from "../../../../src/worker/batching/canary.ts";
import { ReferenceService } from "../../../fakes/reference-services/reference-service.ts";
import type { Rule } from "../../../fakes/reference-services/rule.ts";
import {
  CROWD,
  deceivingRules,
  endsOnlyRules,
  FIRST,
  poolableRules,
  unpoolableRules,
} from "../../../fakes/reference-services/rules.ts";
import { addressOf, calibrated } from "../../../support/poisoning-parts.ts";
import { fullRequests, listedQuestions, trappedQuestions } from "./calibration/trapped-questions.ts";
import { type Comparison, compare } from "./compare.ts";

type Users = PoisoningBatchRequest["user_addresses"];

/** Event sets for each reference service. */
const RUNS = Number(process.env["FC_RUNS"] ?? 60);
const FIRST_SEED = Number(process.env["FC_SEED"] ?? 1);

/** Totals over all runs of a service, because a case that never occurs proves nothing. */
class Tally {
  events = 0;
  requests = 0;
  pooledRequests = 0;
  flagged = 0;
  confirmed = 0;
  runsOff = 0;

  add(comparison: Comparison, pooled: readonly PoisoningBatchRequest[]): void {
    this.events += comparison.arrivals.length;
    this.requests += comparison.requests.length;
    this.pooledRequests += pooled.length;
    this.flagged += comparison.unpooled.filter(isFlagged).length;
    this.confirmed += confirmedOf(comparison, pooled);
    if (comparison.isOff) this.runsOff++;
  }
}

async function eachRun(
  rule: Rule,
  check: (run: Comparison, pooled: readonly PoisoningBatchRequest[]) => void | Promise<void>,
  { runs, arrivalsBy } = { runs: RUNS, arrivalsBy: trappedQuestions },
) {
  const tally = new Tally();
  for (let seed = FIRST_SEED; seed < FIRST_SEED + runs; seed++) {
    try {
      const run = await compare(rule, seed, arrivalsBy);
      const pooled = pooledOf(run);
      tally.add(run, pooled);
      await check(run, pooled);
    } catch (thrown) {
      throw new Error(`seed ${seed}: run it again with FC_SEED=${seed} FC_RUNS=1`, { cause: thrown });
    }
  }
  return tally;
}

describe.each(Object.entries<Rule>(poolableRules))("a service with the rule: %s", (_name, rule) => {
  test("the answers to batched questions equal the answers to single questions", { timeout: 3_600_000 }, async () => {
    const tally = await eachRun(rule, (run) => {
      expect(differences(run)).toEqual([]);
      expect(run.isOff).toBe(false);
    });
    if (RUNS < 60) return;
    expect(tally.flagged).toBeGreaterThan(RUNS);
    expect(tally.pooledRequests).toBeGreaterThan(RUNS);
    expect(tally.confirmed).toBeGreaterThan(RUNS / 2);
    expect(tally.events).toBeGreaterThan(1.5 * tally.requests);
  });
});

describe.each(Object.entries<Rule>(poolableRules).slice(0, 3))(
  "with a limit of items, a service with the rule: %s",
  (_, rule) => {
    test("no request exceeds the limit, and no flag is lost", { timeout: 3_600_000 }, async () => {
      for (let seed = FIRST_SEED; seed < FIRST_SEED + Math.ceil(RUNS / 6); seed++) {
        for (const maxItems of [3, 9, 10, 15, 40]) {
          const run = await compare(rule, seed, trappedQuestions, maxItems);
          for (const { question, together, alone } of differences(run)) {
            const where = `seed ${seed}, ${maxItems} items`;
            // A service that exempts users sees only some of the users in each of several requests.
            expect(partsOf(question, maxItems).length, where).toBeGreaterThan(1);
            expect(isMilder(together, alone), where).toBe(false);
          }
          for (const { route, request } of run.requests) {
            if (route !== "poisoningBatch") continue;
            const lists = [request.user_addresses, request.target_addresses, request.token_addresses];
            expect(lists.flat().length).toBeLessThanOrEqual(maxItems);
          }
        }
      }
    });
  },
);

/** Beliefs about flags that no user raised are wrong for flags that another event's users raise without mimics_user. */
describe.each(Object.entries<Rule>(deceivingRules))("a deceiving service with the rule: %s", (_name, rule) => {
  test("only flags are believed, few of these are wrong, and all are marked", { timeout: 3_600_000 }, async () => {
    let [believed, wrong] = [0, 0];
    const arrivalsBy = (random: Random) => [...listedQuestions(random), ...trappedQuestions(random)];
    const check = (run: Comparison) => {
      believed += run.believed.filter(Boolean).length;
      run.pooled.forEach((together, i) => {
        const alone = run.unpooled[i];
        if (JSON.stringify(together) === JSON.stringify(alone)) return;
        wrong++;
        expect(run.believed[i]).toBe(true);
        expect(isMilder(together, alone)).toBe(false);
      });
    };
    await eachRun(rule, check, { runs: RUNS, arrivalsBy });
    if (RUNS < 60) return;
    expect(believed).toBeGreaterThan(10 * RUNS);
    expect(wrong).toBeGreaterThan(0);
    expect(wrong).toBeLessThan(believed / 10);
  });
});

/** Whether a flag of the single answer is missing in the batched answer. */
function isMilder(together: Comparison["pooled"][number] | undefined, alone: typeof together): boolean {
  if (typeof together !== "object" || typeof alone !== "object") return true;
  return alone.some((flag, i) => flag === "1" && together[i] !== "1");
}

/** The users of a request that count for a rule, and how many users a service with that rule tolerates. */
const bearable = {
  "stricter in a crowd": { weigh: (users) => users.length, most: CROWD },
  "stricter in a crowd of one chain": { weigh: largestOfChain, most: CROWD },
  "first users only": { weigh: (users) => users.length, most: FIRST },
  "last users only": { weigh: (users) => users.length, most: FIRST },
} satisfies Record<keyof typeof unpoolableRules, { weigh: (users: Users) => number; most: number }>;

describe.each(Object.entries<Rule>(unpoolableRules))("an unreliable service with the rule: %s", (name, rule) => {
  test("batching goes off, and no target is cleared that a single request flags", { timeout: 3_600_000 }, async () => {
    const { weigh, most } = bearable[name as keyof typeof unpoolableRules];
    const tally = await eachRun(rule, (run, pooled) => {
      expect(differences(run)).toEqual([]);
      // With "first users only", the omitted users may all be canaries of a family with another canary among the first
      // users.
      const isTooLarge = pooled.some(({ user_addresses }) => weigh(user_addresses) > most);
      const isStrangerLeftOut = pooled.some(({ user_addresses }) => weigh(user_addresses.filter(isNoCanary)) > most);
      if (!isTooLarge) expect(run.isOff).toBe(false);
      if (name.endsWith("users only") ? isStrangerLeftOut : isTooLarge) expect(run.isOff).toBe(true);
    });
    if (RUNS < 60) return;
    expect(tally.flagged).toBeGreaterThan(RUNS);
    expect(tally.runsOff).toBeGreaterThan(RUNS / 10);
    expect(tally.runsOff).toBeLessThan(RUNS);
    expect(tally.pooledRequests).toBeGreaterThan(tally.runsOff);
    expect(tally.confirmed).toBeGreaterThan(0);
  });
});

/** Such services skip items at random. If a request's canaries were read, the cleared targets of the request count. */
describe.each(Object.entries<Rule>(endsOnlyRules))("a service with an ends-only rule: %s", (_name, rule) => {
  /** Targets that a single request flags, and that were cleared only in requests that do not count. */
  let spared = 0;
  const check = async (run: Comparison, pooled: readonly PoisoningBatchRequest[]) => {
    const answers = await Promise.all(pooled.map((request) => clearedBy(rule, request)));
    const ofGroups = await Promise.all(groupsOf(run, pooled).map((request) => clearedBy(rule, request)));
    const proved = answers.filter(({ isProved }) => isProved);
    const believed = new Set([...proved, ...ofGroups].flatMap(({ cleared }) => cleared));
    const voided = new Set(answers.flatMap(({ isProved, cleared }) => (isProved ? [] : cleared)));
    expect(run.isOff).toBe(answers.some(({ isProved }) => !isProved));
    expect(differences(run).filter(({ question }) => !believed.has(keyOf(question)))).toEqual([]);
    spared += run.arrivals.filter(({ question }, i) => {
      const isMissed = isFlagged(run.unpooled[i] ?? []) && voided.has(keyOf(question));
      return isMissed && !believed.has(keyOf(question));
    }).length;
  };

  test("the first request with a skipped canary switches batching off, and does not count", {
    timeout: 3_600_000,
  }, async () => {
    spared = 0;
    const tally = await eachRun(rule, check);
    if (RUNS < 60) return;
    expect(spared).toBeGreaterThan(0);
    expect(tally.runsOff).toBeGreaterThan(RUNS / 10);
    expect(tally.runsOff).toBeLessThan(RUNS);
  });

  test("a few full requests switch batching off", { timeout: 3_600_000 }, async () => {
    const runs = Math.ceil(RUNS / 10);
    const tally = await eachRun(rule, check, { runs, arrivalsBy: fullRequests });
    expect(tally.runsOff).toBe(runs);
  });
});

/** The canaries of services that flag by these rules. */
const canaryTargets = new Set<string>(
  canaryPairs.flatMap(({ family, target }) => {
    const canaries = calibrated(family, formatOf(family, addressOf(target, family)))?.canaries;
    return batchPositions.map((place) => canaries?.[place].target ?? "");
  }),
);

/** The targets that a service clears in a request, and whether it flags the canaries in it. */
async function clearedBy(rule: Rule, request: PoisoningBatchRequest) {
  const service = new ReferenceService(rule);
  const { data } = await service.ask("poisoningBatch", request, new AbortController().signal);
  const cleared = data.target_addresses.filter((item) => "mimics_user" in item && item.mimics_user === "0");
  return {
    isProved: cleared.every(({ address }) => !canaryTargets.has(address)),
    cleared: cleared.map(({ chain_id, address }) => `${chain_id}|${address}`),
  };
}

function keyOf({ chain, target }: Comparison["arrivals"][number]["question"]): string {
  return `${chain.id}|${target}`;
}

function differences({ arrivals, pooled, unpooled }: Comparison) {
  return arrivals.flatMap(({ question }, i) => {
    const [together, alone] = [pooled[i], unpooled[i]];
    return JSON.stringify(together) === JSON.stringify(alone) ? [] : [{ question, together, alone }];
  });
}

function isFlagged(answer: Comparison["unpooled"][number]): boolean {
  return typeof answer !== "string" && answer.includes("1");
}

function largestOfChain(users: Users): number {
  return Math.max(...[...Map.groupBy(users, ({ chain_id }) => chain_id).values()].map(({ length }) => length));
}

function isNoCanary({ address }: Users[number]): boolean {
  return !canaryPairs.some(({ user }) => user === address);
}

/** Requests with entries of several events: no question has all users of the request and one of its targets. */
function pooledOf({ arrivals, requests }: Comparison): readonly PoisoningBatchRequest[] {
  const owned = new Set(
    arrivals.flatMap(({ question }) => partsOf(question).map(({ users, target }) => `${textOf(users)}>${target}`)),
  );
  return requests.flatMap(({ route, request }) => {
    if (route !== "poisoningBatch") return [];
    const users = textOf(request.user_addresses.map(({ address }) => address));
    return request.target_addresses.every(({ address }) => owned.has(`${users}>${address}`)) ? [] : [request];
  });
}

/** Requests with several targets and only their own users. They hold no canary (decision 0005, "Not closed"). */
function groupsOf(
  { requests }: Comparison,
  pooled: readonly PoisoningBatchRequest[],
): readonly PoisoningBatchRequest[] {
  return requests.flatMap(({ route, request }) =>
    route === "poisoningBatch" && request.target_addresses.length > 1 && !pooled.includes(request) ? [request] : [],
  );
}

/** Number of targets that were sent in a batch and again without other users. */
function confirmedOf({ requests }: Comparison, pooled: readonly PoisoningBatchRequest[]): number {
  const inCompany = new Set(pooled.flatMap(({ target_addresses }) => target_addresses.map(({ address }) => address)));
  const isPooled = new Set<unknown>(pooled);
  let again = 0;
  for (const { route, request } of requests) {
    if (isPooled.has(request)) continue;
    const alone =
      route === "poisoningSingle" ? [request.address] : request.target_addresses.map(({ address }) => address);
    again += alone.filter((address) => inCompany.has(address)).length;
  }
  return again;
}

function textOf(users: readonly string[]): string {
  return users.toSorted().join("|");
}
