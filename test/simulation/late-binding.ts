import type { Expected } from "./expected.ts";
import { type Scenario, waitedForMs } from "./scenario.ts";
import type { LoggedRequest } from "./service-log.ts";
import { type Item, itemKey } from "./truth.ts";

/** The first event about a target that a process reads. */
interface First {
  readonly line: number;
  readonly expected: Expected & { readonly target: Item };
  readonly readAt: number;
}

/**
 * Checks that a batch request is cut only when its permit comes. Then every event that waited until that moment and
 * fits is in the request.
 *
 * Only events that certainly waited for a batch, and certainly fit, are checked. Such an event is the first about its
 * target. The target is in no request yet, and has neither a verdict nor a ticket. The event was read after the
 * canaries were tried and before this moment. Its target is no user of the request, and its own users resemble no user.
 * Events without users on an unsupported chain stop waiting once the service refused two such events. The target of a
 * Solana transaction is unknown when the event is read. No request of a simulation is full.
 */
export class LateBinding {
  readonly #scenario: Scenario;
  /** Waiting events by target. */
  #waiting = new Map<string, First>();
  /** Targets with a verdict or a ticket. */
  readonly #settled = new Set<string>();
  #wasAsked = new Set<string>();
  /** The last request about each address alone. Calibration sends such requests about canaries. */
  #askedAloneAt = new Map<string, number>();
  /** Refused targets without users, on the unsupported chain. */
  #refused = new Set<string>();
  #isSure = true;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  /** A process begins, and no event waits. */
  begin(): void {
    this.#waiting = new Map();
    this.#wasAsked = new Set();
    this.#askedAloneAt = new Map();
    this.#refused = new Set();
    this.#isSure = true;
  }

  read(line: number, readAt: number): void {
    const expected = this.#scenario.expected[line - 1];
    if (expected?.target === undefined) return;
    const { target } = expected;
    const key = itemKey(target);
    const isFirst = !this.#waiting.has(key) && !this.#wasAsked.has(key) && !this.#settled.has(key);
    if (isFirst) this.#waiting.set(key, { line, expected: { ...expected, target }, readAt });
  }

  /** A verdict or a ticket of the line is durable. */
  settled(line: number): void {
    const target = this.#scenario.expected[line - 1]?.target;
    if (target === undefined) return;
    this.#settled.add(itemKey(target));
    this.#waiting.delete(itemKey(target));
  }

  /** Batching pauses. Events read meanwhile are asked alone, even after the pause. */
  rests(): void {
    this.#isSure = false;
  }

  ended({ asked, route }: LoggedRequest, status: number): void {
    if (route !== "poisoningSingle" || status !== 400) return;
    for (const item of asked) if (this.#isUnsupported(item)) this.#refused.add(itemKey(item));
  }

  #isUnsupported({ chain_id }: Item): boolean {
    return chain_id === this.#scenario.world.unsupported;
  }

  /** @returns the waiting lines that a request leaves out. */
  leftOutOf(request: LoggedRequest, now: number): readonly number[] {
    const { asked, keys, canaries, route } = request;
    const news = [...keys].filter((key) => !this.#wasAsked.has(key));
    for (const key of keys) {
      this.#wasAsked.add(key);
      this.#waiting.delete(key);
    }
    if (route === "poisoningSingle") for (const { address } of asked) this.#askedAloneAt.set(address, now);
    // A part of a refused request, sent again on its own, holds no new target.
    const isFirst = news.some((key) => !canaries.has(key));
    if (canaries.size === 0 || !this.#isSure || !isFirst) return [];
    const left = [...this.#waiting.values()].filter(
      (first) => this.#waits(first, request, now) && fits(first.expected, request),
    );
    return left.map(({ line }) => line);
  }

  #waits({ line, expected, readAt }: First, request: LoggedRequest, now: number): boolean {
    const record = this.#scenario.records[line - 1];
    const isRealtime = record?.event.ok === true && record.event.value.lane === "realtime";
    const isKnown = this.#refused.size > 1 && expected.users.length === 0 && this.#isUnsupported(expected.target);
    if (isKnown) return false;
    const isOverdue = isRealtime && now - readAt >= waitedForMs(this.#scenario, record);
    return readAt < now && !isOverdue && readAt > this.#calibratedAt(expected.target.chain_id, request);
  }

  /**
   * The time of the last request about each canary of the chain alone. An event read later waited for a batch. An
   * earlier event may wait for a request alone, because the earlier calibration failed.
   */
  #calibratedAt(chainId: string, { asked, canaries }: LoggedRequest): number {
    const tried = asked.filter((item) => item.chain_id === chainId && canaries.has(itemKey(item)));
    if (tried.length === 0) return Number.POSITIVE_INFINITY;
    return Math.max(...tried.map(({ address }) => this.#askedAloneAt.get(address) ?? Number.POSITIVE_INFINITY));
  }
}

function fits({ checks, target, token, users: own }: Expected, { asked, users }: LoggedRequest): boolean {
  if (checks.includes("solana-simulation")) return false;
  const isUser = (item: Item | undefined) => users.some(({ address }) => address === item?.address);
  const isAlikeAny = ({ address }: Item) => [...users, ...own].some((other) => mayBeAlike(address, other.address));
  const isAsked = ({ address }: Item) => asked.some((item) => item.address === address);
  return !isUser(target) && !isUser(token) && !own.some((user) => isAlikeAny(user) || isAsked(user));
}

/** By every known shape, an imitation shares a part of the beginning or of the ending. */
function mayBeAlike(one: string, other: string): boolean {
  return one !== other && (one.slice(0, 3) === other.slice(0, 3) || one.slice(-2) === other.slice(-2));
}
