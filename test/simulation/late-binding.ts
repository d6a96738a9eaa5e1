import type { Expected } from "./expected.ts";
import { type Scenario, waitedForMs } from "./scenario.ts";
import type { LoggedRequest } from "./service-log.ts";
import { type Item, itemKey } from "./truth.ts";

/** The first event about somebody that a process reads. */
interface First {
  readonly line: number;
  readonly expected: Expected & { readonly target: Item };
  readonly readAt: number;
}

/**
 * A request of strangers is cut when its slot comes, never before: whoever waited until then and fits is in it.
 *
 * Only those are held to it of whom it is certain that they waited to be pooled and fit: the first event about somebody
 * who is in no request yet and has neither verdict nor ticket, read since his canaries were tried and before this moment;
 * he is nobody's user here, and his own users are like nobody's. Nor does anybody wait who has no users, on a chain that the service
 * refused to two others of them: he has that answer. Whom a transaction of Solana is about nobody knows when
 * it is read. No request of a simulation is full.
 */
export class LateBinding {
  readonly #scenario: Scenario;
  /** By whom they are about. */
  #waiting = new Map<string, First>();
  /** Whom a verdict or a ticket is about. */
  readonly #settled = new Set<string>();
  #wasAsked = new Set<string>();
  /** When each address was last asked about by itself, as calibration asks about canaries. */
  #askedAloneAt = new Map<string, number>();
  /** Without users, on the chain that the service does not have. */
  #refused = new Set<string>();
  #isSure = true;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  /** A process begins, and nobody waits. */
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

  /** A verdict on it, or a ticket of it, is durable. */
  settled(line: number): void {
    const target = this.#scenario.expected[line - 1]?.target;
    if (target === undefined) return;
    this.#settled.add(itemKey(target));
    this.#waiting.delete(itemKey(target));
  }

  /** Pooling rests: who is read meanwhile is asked alone, and waits for that when it is over, too. */
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

  /** @returns the lines that a request leaves out. */
  leftOutOf(request: LoggedRequest, now: number): readonly number[] {
    const { asked, keys, canaries, route } = request;
    const news = [...keys].filter((key) => !this.#wasAsked.has(key));
    for (const key of keys) {
      this.#wasAsked.add(key);
      this.#waiting.delete(key);
    }
    if (route === "poisoningSingle") for (const { address } of asked) this.#askedAloneAt.set(address, now);
    // What is a part of a refused request, and goes on by itself, has nobody in it who comes for the first time.
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
   * Whoever came after that waited to be pooled: canaries of the chain were tried by themselves. What was tried before that
   * had failed, and who came then may wait to be asked alone.
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

/** Whoever imitates another has some of his beginning or of his ending, by every shape that is known. */
function mayBeAlike(one: string, other: string): boolean {
  return one !== other && (one.slice(0, 3) === other.slice(0, 3) || one.slice(-2) === other.slice(-2));
}
