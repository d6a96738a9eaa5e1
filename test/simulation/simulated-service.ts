import { isDeepStrictEqual } from "node:util";
import { failureBody, unsupportedChainDetail } from "../../src/api/failures.ts";
import type { ResponseOf, RouteName, SentTo } from "../../src/api/routes.ts";
import { timestamp } from "../../src/kernel/clock.ts";
import { UnavailableError } from "../../src/worker/answers/service-errors.ts";
import type { SecurityService } from "../../src/worker/ports.ts";
import { exactAnswer } from "../support/exact-service.ts";
import { askedIn } from "./asked-in.ts";
import { garbageKinds, spoilt } from "./garbage.ts";
import { saidIn } from "./read-by-hand.ts";
import type { Scenario } from "./scenario.ts";
import { ServiceAnswers } from "./service-answers.ts";
import { canariesIn, type LoggedRequest } from "./service-log.ts";
import { isRefused } from "./transaction-answers.ts";
import { keysOf } from "./transactions.ts";
import { type Item, itemKey } from "./truth.ts";
import type { Life, VirtualTime } from "./virtual-clock.ts";
import type { Watch } from "./watch.ts";
import { jsonWire, readWire, type Wire } from "./wire.ts";

/**
 * Few answers carry a stamp, as with real services. The worker reads an answer with only the interface's members in
 * another way than one with more.
 */
const STAMPED = 0.3;

/** The answer that recurs all the time. */
const failing = jsonWire(500, failureBody("internal"));
const limiting = jsonWire(429, failureBody("rateLimited"));
const refusing = jsonWire(422, failureBody("schemaMismatch"));

/** A connection to the service; each process has one. */
export interface Connection {
  readonly life: Life;
  readonly number: number;
  readonly key: () => string;
}

/** The result of a request. */
interface Response {
  readonly wire: Wire;
  /** For a 429: the wait that it asks for, if it tells one. */
  readonly waitMs?: number;
  /** The response before any damage on its way. */
  readonly meant?: Wire;
}

interface Fate {
  readonly ms: number;
  /** Undefined: no response comes, and the worker's request times out. */
  readonly respond: (() => Response) | undefined;
}

/**
 * The service of a scenario. It outlives the worker processes and answers with a status, headers and bytes. It logs the
 * answer that it sent to each request. It fails in every way that the seed contains. `heal` ends all faults that pass
 * by themselves.
 */
export class SimulatedService {
  readonly log: LoggedRequest[] = [];
  key = "key-0";
  isOut = false;
  readonly #scenario: Scenario;
  readonly #time: VirtualTime;
  readonly #watch: Watch;
  /** When an answer came last that was one, milliseconds of ticks. */
  answeredAt = Number.NEGATIVE_INFINITY;
  readonly #answers: ServiceAnswers;
  readonly #accepted: number[] = [];
  #isHealed = false;

  constructor(scenario: Scenario, time: VirtualTime, watch: Watch) {
    this.#scenario = scenario;
    this.#time = time;
    this.#watch = watch;
    this.#answers = new ServiceAnswers(scenario, time);
  }

  heal(): void {
    this.#isHealed = true;
    this.#answers.heal();
    this.isOut = false;
  }

  connect({ life, number, key }: Connection): SecurityService {
    return {
      ask: <N extends RouteName>(route: N, request: SentTo<N>, signal: AbortSignal) =>
        new Promise<ResponseOf<N>>((resolve, reject) => {
          if (signal.aborted) reject(signal.reason);
          if (signal.aborted || !life.step()) return;
          const logged = this.#take(route, request, number);
          const sentKey = key();
          const { ms, respond } = this.#fate(route, request, logged, sentKey);
          const stop = () => {
            cancel();
            this.#watch.ended(logged, { status: 0 });
            reject(signal.reason);
          };
          const cancel = life.after(ms, () => {
            signal.removeEventListener("abort", stop);
            const response = respond?.();
            if (response !== undefined) this.#note(route, logged, response);
            const { wire, waitMs } = response ?? {};
            const ended = (isHeard: boolean) => {
              if (isHeard) this.answeredAt = this.#time.ticks;
              this.#watch.ended(logged, {
                status: wire?.status ?? 0,
                ...(waitMs === undefined ? {} : { waitMs }),
                isHeard,
              });
            };
            const received = () => wire ?? noneWithin(this.#scenario.timeoutMs);
            readWire(route, received, { now: () => this.#time.now, key: sentKey }).then(
              (answer) => {
                ended(true);
                resolve(answer);
              },
              (thrown: unknown) => {
                ended(!(thrown instanceof UnavailableError));
                reject(thrown);
              },
            );
          });
          signal.addEventListener("abort", stop, { once: true });
        }),
    };
  }

  #take(route: RouteName, request: unknown, life: number): LoggedRequest {
    const { users, targets, tokens } = askedIn(route, request);
    const asked = [...targets, ...tokens];
    const logged: LoggedRequest = {
      number: this.log.length,
      life,
      route,
      bytes: `${route} ${JSON.stringify(request)}`,
      sentAt: this.#time.ticks,
      requestedAt: timestamp(this.#time.now),
      isStamped: this.#scenario.stamps.chance(STAMPED),
      users,
      asked,
      keys: new Set(asked.map(itemKey)),
      transactions: transactionsIn(route, request),
      canaries: route === "poisoningBatch" ? canariesIn(users, targets) : new Set(),
    };
    this.log.push(logged);
    this.#watch.sent(logged);
    return logged;
  }

  /** Logs the bytes that are sent, whatever the intended answer was. */
  #note(route: RouteName, logged: LoggedRequest, { wire, meant }: Response): void {
    const said = saidIn(route, wire, logged.asked);
    if (said === undefined) return;
    const isTrue = meant === undefined || isDeepStrictEqual(said, saidIn(route, meant, logged.asked));
    if (!isTrue) this.#watch.saw("answers changed on their way");
    logged.answer = { ...said, isTrue, answeredAt: timestamp(this.#time.now), answeredTicks: this.#time.ticks };
  }

  /** The duration of a request, and its result. */
  #fate(route: RouteName, request: unknown, logged: LoggedRequest, key: string): Fate {
    const { dice, latencyMs, timeoutMs, faults, wire } = this.#scenario;
    const ms = dice.between(0, latencyMs);
    const isLimited = this.#isLimited();
    if (key !== this.key) {
      const status = wire.pick([401, 403]);
      return { ms, respond: () => ({ wire: jsonWire(status, failureBody("unknownApiKey")) }) };
    }
    if (isLimited || this.#hits(faults.limited)) return { ms, respond: this.#limiting() };
    const { downRoute } = this.#scenario;
    if (!this.#isHealed && downRoute !== undefined && route.startsWith(downRoute)) {
      this.#watch.saw("operations down");
      return { ms, respond: () => ({ wire: failing }) };
    }
    const refusal = this.#refusalOf(route, request, logged);
    // A calibration may repeat a refusal without a readable reason. This refusal always has its reason.
    const isOnUnsupported = logged.asked.some(({ chain_id }) => chain_id === this.#scenario.world.unsupported);
    if (refusal !== undefined && isOnUnsupported && route === "poisoningSingle")
      return { ms, respond: () => ({ wire: refusal }) };
    const answer = () => refusal ?? jsonWire(200, this.#answerTo(route, request, logged));
    if (this.isOut || this.#hits(faults.failing)) {
      const kind = wire.pick(garbageKinds);
      this.#watch.saw(kind);
      return {
        ms,
        respond: () => {
          const meant = answer();
          return { meant, wire: spoilt(kind, meant, wire) };
        },
      };
    }
    if (this.#hits(faults.hanging)) return { ms: timeoutMs, respond: undefined };
    return { ms, respond: () => ({ wire: answer() }) };
  }

  #answerTo(route: RouteName, request: unknown, logged: LoggedRequest): unknown {
    const answer = this.#answers.to(route, request, logged);
    if (!this.#scenario.world.isExact) return answer;
    this.#watch.saw("answers of the interface alone");
    return exactAnswer(route, answer);
  }

  #hits(probability: number): boolean {
    return !this.#isHealed && this.#scenario.dice.chance(probability);
  }

  /** A 429, with the wait in one of the possible notations or without it. */
  #limiting(): () => Response {
    const { dice, wire } = this.#scenario;
    const wireWith = (header: string) => jsonWire(429, failureBody("rateLimited"), { "retry-after": header });
    const says = dice.random();
    if (says < 0.4) return () => ({ wire: limiting });
    const seconds = says < 0.5 ? 0 : Math.ceil(dice.between(10, dice.pick([1_000, 20_000])) / 1_000);
    const form = wire.random();
    if (form < 0.1) return () => ({ wire: wireWith("soon") });
    if (form < 0.7) return () => ({ wire: wireWith(String(seconds)), waitMs: seconds * 1_000 });
    return () => {
      const { now } = this.#time;
      const until = Math.ceil(now / 1_000 + seconds) * 1_000;
      return { wire: wireWith(new Date(until).toUTCString()), waitMs: until - now };
    };
  }

  /** Counts accepted requests in a sliding window. */
  #isLimited(): boolean {
    const { limit } = this.#scenario;
    if (limit === undefined) return false;
    const from = this.#time.ticks - limit.windowMs;
    while ((this.#accepted[0] ?? Number.POSITIVE_INFINITY) <= from) this.#accepted.shift();
    if (this.#accepted.length >= limit.requests) return true;
    this.#accepted.push(this.#time.ticks);
    return false;
  }

  #refusalOf(route: RouteName, request: unknown, logged: LoggedRequest): Wire | undefined {
    const { world, transactions } = this.#scenario;
    if (isRefused(logged, transactions)) return refusing;
    if (world.isExact && route === "evmTransactionSecurity") return refusing;
    if (!route.startsWith("poisoning")) return undefined;
    const { users, asked } = logged;
    const unsupported = asked.find(({ chain_id }) => chain_id === world.unsupported);
    if (route === "poisoningSingle" && unsupported !== undefined)
      return jsonWire(400, failureBody("unsupportedChain", unsupportedChainDetail(unsupported.chain_id)));
    if (route === "poisoningSingle" && asked.some(({ address }) => world.failing.has(address)))
      return jsonWire(400, failureBody("invalidAddress"));
    if (![...users, ...asked].some(({ address }) => world.refused.has(address))) return undefined;
    if (world.namesRefused && route === "poisoningBatch") {
      for (const [array, items] of Object.entries(request as Record<string, readonly Item[]>)) {
        const at = items.findIndex(({ address }) => world.refused.has(address));
        if (at !== -1) return jsonWire(422, failureBody("schemaMismatch", `${array}[${at}]: not an address`));
      }
    }
    return refusing;
  }
}

function transactionsIn(route: RouteName, request: unknown): readonly string[] {
  if (route === "solanaEmulate") return keysOf((request as SentTo<"solanaEmulate">).sol_transactions);
  if (route === "evmTransactionSecurity") return keysOf(request);
  return route === "transactionSecurity" ? keysOf((request as SentTo<"transactionSecurity">).tron_transactions) : [];
}

function noneWithin(ms: number): never {
  throw new Error(`no answer within ${ms} ms`);
}
