import { canonicalAddress } from "../../src/chains/address.ts";
import { findChain } from "../../src/chains/registry.ts";
import type { AddressEvent } from "../../src/events/event.ts";
import type { Scenario } from "./scenario.ts";
import type { LoggedRequest } from "./service-log.ts";
import { itemKey } from "./truth.ts";

/** The first event about an address that a process reads. */
interface First {
  readonly line: number;
  readonly event: AddressEvent;
  readonly readAt: number;
}

/**
 * A request of strangers is cut when its slot comes, never before: whoever waited until then and fits is in it.
 *
 * Only those are held to it of whom it is certain that they waited to be pooled and fit: the first event about an address
 * that is in no request yet and has neither verdict nor ticket, read since its canaries were tried and before this moment;
 * the address is nobody's user here, and its own users are like nobody's. No request of a simulation is full.
 */
export class LateBinding {
  readonly #scenario: Scenario;
  /** By their address. */
  #waiting = new Map<string, First>();
  /** Addresses that a verdict or a ticket is about. */
  readonly #settled = new Set<string>();
  #wasAsked = new Set<string>();
  /** When each address was last asked about by itself, as calibration asks about canaries. */
  #askedAloneAt = new Map<string, number>();
  #isSure = true;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  /** A process begins, and nobody waits. */
  begin(): void {
    this.#waiting = new Map();
    this.#wasAsked = new Set();
    this.#askedAloneAt = new Map();
    this.#isSure = true;
  }

  read(line: number, readAt: number): void {
    const event = this.#addressIn(line);
    if (event === undefined) return;
    const key = itemKey(event);
    const isFirst = !this.#waiting.has(key) && !this.#wasAsked.has(key) && !this.#settled.has(key);
    if (isFirst) this.#waiting.set(key, { line, event, readAt });
  }

  /** A verdict on it, or a ticket of it, is durable. */
  settled(line: number): void {
    const event = this.#addressIn(line);
    if (event === undefined) return;
    this.#settled.add(itemKey(event));
    this.#waiting.delete(itemKey(event));
  }

  /** Pooling rests: who is read meanwhile is asked alone, and waits for that when it is over, too. */
  rests(): void {
    this.#isSure = false;
  }

  /** @returns the lines that a request leaves out. */
  leftOutOf(request: LoggedRequest, now: number): readonly number[] {
    const { asked, canaries, route } = request;
    const news = asked.filter((item) => !this.#wasAsked.has(itemKey(item)));
    for (const item of asked) {
      this.#wasAsked.add(itemKey(item));
      this.#waiting.delete(itemKey(item));
      if (route === "poisoningSingle") this.#askedAloneAt.set(item.address, now);
    }
    // What is a part of a refused request, and goes on by itself, has nobody in it who comes for the first time.
    const isFirst = news.some((item) => !canaries.has(itemKey(item)));
    if (canaries.size === 0 || !this.#isSure || !isFirst) return [];
    const left = [...this.#waiting.values()].filter(
      (first) => this.#waits(first, request, now) && fits(first, request),
    );
    return left.map(({ line }) => line);
  }

  #waits({ event, readAt }: First, request: LoggedRequest, now: number): boolean {
    const isOverdue = event.lane === "realtime" && now - readAt >= this.#scenario.deadlineMs;
    return readAt < now && !isOverdue && readAt > this.#calibratedAt(event.chain_id, request);
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

  #addressIn(line: number): AddressEvent | undefined {
    const event = this.#scenario.records[line - 1]?.event;
    if (event?.ok !== true || event.value.type !== "address") return undefined;
    // What is no address is settled without being asked about.
    const chain = findChain(event.value.chain_id);
    return chain === undefined || canonicalAddress(chain.family, event.value.address) === undefined
      ? undefined
      : event.value;
  }
}

function fits({ event }: First, { asked, users }: LoggedRequest): boolean {
  const { address, user_addresses: own = [], token_address: token } = event;
  const isUser = (text: string | undefined) => users.some((user) => user.address === text);
  const others = [...users.map((user) => user.address), ...own];
  const isFree = (user: string) =>
    !asked.some((item) => item.address === user) && !others.some((other) => mayBeAlike(user, other));
  return !isUser(address) && !isUser(token) && own.every(isFree);
}

/** Whoever imitates another has some of his beginning or of his ending, by every shape that is known. */
function mayBeAlike(one: string, other: string): boolean {
  return one !== other && (one.slice(0, 3) === other.slice(0, 3) || one.slice(-2) === other.slice(-2));
}
