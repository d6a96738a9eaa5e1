import type { ResponseOf, RouteName, SentTo } from "../../src/api/routes.ts";
import { seededRandom } from "../../src/kernel/retry.ts";
import type { Lane } from "../../src/messages/lane.ts";
import { ask } from "../../src/worker/checks/ask.ts";
import type { Question } from "../../src/worker/plan/question.ts";
import type { SecurityService } from "../../src/worker/ports.ts";
import { minTimeMs } from "../../src/worker/rate-limit/sharing/quota.ts";
import { clean } from "../fakes/evidence.ts";
import { ReferenceService } from "../fakes/reference-services/reference-service.ts";
import { poolableRules } from "../fakes/reference-services/rules.ts";
import { workerFor } from "../fakes/worker.ts";
import { addressOf, chainOf } from "../support/poisoning-parts.ts";
import { SimulatedSlots } from "./simulated-slots.ts";
import { Life, VirtualClock, VirtualTime } from "./virtual-clock.ts";

/** A kind of question, with a number of users. */
export interface Kind {
  readonly check: "poisoning" | "token-security";
  readonly users: number;
}

/** A flow of questions: a constant number in flight, or one at regular intervals in milliseconds. */
export interface Flow {
  readonly lane: Lane;
  readonly tenant: string;
  readonly kind: Kind;
  readonly atOnce?: number;
  readonly everyMs?: number;
}

export interface LaneRunOptions {
  readonly seed: number;
  readonly quota: { readonly requests: number; readonly windowMs: number };
  readonly seconds: number;
  readonly flows: readonly Flow[];
  readonly weightOf?: (tenant: string) => number;
  /** Duration of an answer, milliseconds; 30 by default. */
  readonly latencyMs?: number;
  /** Called for each question that is sent after the warm-up: its lane, the time, and the wait in permits. */
  readonly onLeft?: (lane: Lane, atSeconds: number, slots: number) => void;
  /** Called for each request about addresses after the warm-up, with its time and its number of items. */
  readonly onPacked?: (atSeconds: number, items: number) => void;
}

/** The result of one flow. */
export interface Served {
  /** The wait of each question for its request, in permits. */
  readonly waits: number[];
  asked: number;
  answered: number;
}

export const CONCURRENCY = 32;
/** Addresses are calibrated during this time, and nothing is counted. */
const WARM_UP_MS = 5_000;
/** This many simultaneous questions trigger a calibration, whatever the flows bring. */
const CALIBRATING = 10;

/** Flows of questions through the gate and the batcher of one worker, at a given quota, in virtual time. */
export async function laneRun(options: LaneRunOptions): Promise<readonly Served[]> {
  const { seed, quota, seconds, flows, weightOf, latencyMs = 30 } = options;
  const random = seededRandom(seed);
  const time = new VirtualTime(random);
  const life = new Life(time, Number.POSITIVE_INFINITY);
  const clock = new VirtualClock(life);
  const slotMs = minTimeMs(quota);
  const ending = new AbortController();
  /** Time, lane and flow of the question about each address. */
  const asked = new Map<string, { readonly at: number; readonly lane: Lane; readonly served: Served }>();
  const leaves = (address: string) => {
    const question = asked.get(address);
    asked.delete(address);
    if (question === undefined || question.at < WARM_UP_MS) return;
    const slots = (time.ticks - question.at) / slotMs;
    question.served.waits.push(slots);
    options.onLeft?.(question.lane, (time.ticks - WARM_UP_MS) / 1_000, slots);
  };
  const packed = (items: number) => {
    if (time.ticks >= WARM_UP_MS) options.onPacked?.((time.ticks - WARM_UP_MS) / 1_000, items);
  };
  const worker = workerFor(
    observed(leaves, packed, () => clock.sleep(latencyMs)),
    {
      clock,
      random,
      slots: new SimulatedSlots(life, slotMs, CONCURRENCY),
      concurrency: CONCURRENCY,
      signal: ending.signal,
      ...(weightOf === undefined ? {} : { weightOf }),
    },
  );
  const chain = chainOf("1");
  const anAddress = () => {
    const digits = Array.from({ length: 5 }, () =>
      Math.floor(random() * 2 ** 32)
        .toString(16)
        .padStart(8, "0"),
    );
    return addressOf(`0x${digits.join("")}`);
  };
  const questionOf = ({ check, users }: Kind): readonly [address: string, question: Question] => {
    const target = anAddress();
    if (check === "token-security") return [target, { check, chain, token: target }];
    const own = Array.from({ length: users }, anAddress);
    return [target, { check, chain, target, users: own, token: undefined }];
  };
  const isOver = () => time.ticks >= WARM_UP_MS + 1_000 * seconds;
  const askOne = async ({ lane, tenant, kind }: Flow, served: Served) => {
    const [address, question] = questionOf(kind);
    asked.set(address, { at: time.ticks, lane, served });
    served.asked++;
    await ask(question, { lane, tenant, isCrowded: () => false }, worker);
    if (time.ticks >= WARM_UP_MS && !isOver()) served.answered++;
  };
  const first: Flow = { lane: "realtime", tenant: "", kind: { check: "poisoning", users: 1 } };
  for (let i = 0; i < CALIBRATING; i++) void askOne(first, { waits: [], asked: 0, answered: 0 }).catch(() => undefined);
  const all = flows.map((flow) => {
    const served: Served = { waits: [], asked: 0, answered: 0 };
    const again = async () => {
      while (!isOver()) await askOne(flow, served);
    };
    const nowAndThen = async () => {
      while (!isOver()) {
        // At a random moment of an interval.
        await clock.sleep((flow.everyMs ?? 0) * 2 * random());
        void askOne(flow, served).catch(() => undefined);
      }
    };
    if (flow.everyMs !== undefined) void nowAndThen();
    for (let i = 0; i < (flow.atOnce ?? 0); i++) void again().catch(() => undefined);
    return served;
  });
  await time.runUntil(isOver, Number.POSITIVE_INFINITY);
  ending.abort(new Error("the run is over"));
  return all;
}

/** A service that flags nothing here and reports every requested target and token. */
function observed(
  leaves: (address: string) => void,
  packed: (items: number) => void,
  delay: () => Promise<void>,
): SecurityService {
  const poisoning = new ReferenceService(poolableRules["by family"], delay);
  return {
    async ask<N extends RouteName>(route: N, request: SentTo<N>, signal: AbortSignal): Promise<ResponseOf<N>> {
      const addresses = addressesIn(request);
      for (const address of addresses) leaves(address);
      if (route === "poisoningBatch") packed(itemsIn(request));
      if (route !== "tokenSecurity") return poisoning.ask(route, request, signal);
      await delay();
      const { chainId } = request as SentTo<"tokenSecurity">;
      const data = { ...clean.tokenSecurity, address: `${chainId}:${addresses[0]}` };
      return { code: "0", status: "ok", data } as unknown as ResponseOf<N>;
    },
  };
}

function itemsIn(request: object): number {
  return Object.values(request).reduce((sum: number, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
}

function addressesIn(request: object): readonly string[] {
  const { address, target_addresses: targets = [] } = request as {
    readonly address?: string;
    readonly target_addresses?: readonly { readonly address: string }[];
  };
  return address === undefined ? targets.map((each) => each.address) : [address];
}
