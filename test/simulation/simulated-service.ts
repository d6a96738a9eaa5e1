import type { ResponseOf, RouteName, SentTo } from "../../src/contract/routes.ts";
import { timestamp } from "../../src/kernel/clock.ts";
import type { SecurityService } from "../../src/worker/ports.ts";
import {
  RateLimitedError,
  RejectedError,
  UnauthorizedError,
  UnavailableError,
} from "../../src/worker/service-errors.ts";
import { clean } from "../fakes/evidence.ts";
import { answeredWith, mixUp, withoutHearing } from "./mixed-up.ts";
import type { Scenario } from "./scenario.ts";
import { canariesIn, type LoggedItem, type LoggedRequest } from "./service-log.ts";
import { type Item, targetFlags, tokenFlags } from "./truth.ts";
import type { Life, VirtualTime } from "./virtual-clock.ts";
import type { Watch } from "./watch.ts";

/** Few, as of real services: what says no more than the interface is read another way than what says more. */
const STAMPED = 0.3;

interface Asked {
  readonly users: readonly Item[];
  readonly targets: readonly Item[];
  readonly tokens: readonly Item[];
}

/** A line of its own to the service, as each process has one. */
export interface Connection {
  readonly life: Life;
  readonly number: number;
  readonly key: () => string;
}

/**
 * The service of a scenario: it outlives the processes that ask it, keeps a log of what it truly answered to whom, and
 * fails in every way that the seed has for it. `heal` ends all that will pass by itself.
 */
export class SimulatedService {
  readonly log: LoggedRequest[] = [];
  key = "key-0";
  isOut = false;
  readonly #scenario: Scenario;
  readonly #time: VirtualTime;
  readonly #watch: Watch;
  readonly #accepted: number[] = [];
  readonly #analyses = new Map<string, number>();
  #isHealed = false;

  constructor(scenario: Scenario, time: VirtualTime, watch: Watch) {
    this.#scenario = scenario;
    this.#time = time;
    this.#watch = watch;
  }

  heal(): void {
    this.#isHealed = true;
    this.isOut = false;
  }

  connect({ life, number, key }: Connection): SecurityService {
    return {
      ask: <N extends RouteName>(route: N, request: SentTo<N>, signal: AbortSignal) =>
        new Promise<ResponseOf<N>>((resolve, reject) => {
          if (signal.aborted) reject(signal.reason);
          if (signal.aborted || !life.step()) return;
          const logged = this.#take(route, request, number);
          const { ms, end } = this.#fate(route, request, logged, key());
          const stop = () => {
            cancel();
            this.#watch.ended(logged, signal.reason);
            reject(signal.reason);
          };
          const cancel = life.after(ms, () => {
            signal.removeEventListener("abort", stop);
            try {
              const response = end() as ResponseOf<N>;
              this.#watch.ended(logged, undefined);
              resolve(response);
            } catch (thrown) {
              this.#watch.ended(logged, thrown);
              reject(thrown);
            }
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
      canaries: route === "poisoningBatch" ? canariesIn(users, targets) : new Set(),
    };
    this.log.push(logged);
    this.#watch.sent(logged);
    return logged;
  }

  /** How long a request takes, and what it ends with. */
  #fate(route: RouteName, request: unknown, logged: LoggedRequest, key: string): { ms: number; end: () => unknown } {
    const { dice, latencyMs, timeoutMs, faults } = this.#scenario;
    const ms = dice.between(0, latencyMs);
    const fail = (error: Error, after = ms) => ({
      ms: after,
      end: (): never => {
        throw error;
      },
    });
    const isLimited = this.#isLimited();
    if (key !== this.key) return fail(new UnauthorizedError("401"));
    if (isLimited || this.#hits(faults.limited)) {
      const says = dice.random();
      if (says < 0.4) return fail(new RateLimitedError("429"));
      return fail(new RateLimitedError("429", says < 0.5 ? 0 : dice.between(10, dice.pick([1_000, 20_000]))));
    }
    if (this.isOut || this.#hits(faults.failing)) {
      const kind = dice.pick(["500", "502 with a page", "a body that is cut off", "flags that are no flags"]);
      return fail(new UnavailableError(kind));
    }
    if (this.#hits(faults.hanging)) return fail(new UnavailableError("no answer", { timeout: true }), timeoutMs);
    const refusal = this.#refusalOf(route, request, logged);
    if (refusal !== undefined) return fail(refusal);
    return { ms, end: () => this.#answer(route, request, logged) };
  }

  #hits(probability: number): boolean {
    return !this.#isHealed && this.#scenario.dice.chance(probability);
  }

  /** Counts what it lets in, over a window that slides. */
  #isLimited(): boolean {
    const { limit } = this.#scenario;
    if (limit === undefined) return false;
    const from = this.#time.ticks - limit.windowMs;
    while ((this.#accepted[0] ?? Number.POSITIVE_INFINITY) <= from) this.#accepted.shift();
    if (this.#accepted.length >= limit.requests) return true;
    this.#accepted.push(this.#time.ticks);
    return false;
  }

  #refusalOf(route: RouteName, request: unknown, { users, asked }: LoggedRequest): RejectedError | undefined {
    const { world } = this.#scenario;
    if (!route.startsWith("poisoning")) return undefined;
    if (route === "poisoningSingle" && asked.some(({ address }) => world.failing.has(address)))
      return new RejectedError("400: invalid address");
    if (![...users, ...asked].some(({ address }) => world.refused.has(address))) return undefined;
    if (!world.namesRefused || route === "poisoningSingle") return new RejectedError("422: invalid request");
    for (const [array, items] of Object.entries(request as Record<string, readonly Item[]>)) {
      const at = items.findIndex(({ address }) => world.refused.has(address));
      if (at !== -1) return new RejectedError(`422: ${array}[${at}]: not an address`);
    }
    return new RejectedError("422: invalid request");
  }

  #answer(route: RouteName, request: unknown, logged: LoggedRequest): unknown {
    if (route === "poisoningBatch") return this.#answerBatch(askedIn(route, request), logged);
    if (route === "poisoningSingle") return this.#answerSingle(askedIn(route, request), logged);
    const { address, ...rest } = request as { address: string; strict?: string };
    return route === "tokenSecurity"
      ? this.#answerToken(address, logged)
      : this.#answerClass(address, rest.strict === "true", logged);
  }

  #answerBatch({ users, targets, tokens }: Asked, logged: LoggedRequest): unknown {
    const { dice, world, faults } = this.#scenario;
    const about = (flags: (item: Item) => LoggedItem["flags"]) => (item: Item) => ({ ...item, flags: flags(item) });
    const isFailing = ({ address }: Item) => world.failing.has(address) || this.#hits(faults.itemError);
    let answer = {
      targets: targets.map(about((item) => (isFailing(item) ? undefined : targetFlags(world, item, users)))),
      tokens: tokens.map(about((item) => tokenFlags(world, item))),
    };
    if (logged.canaries.size > 0 && this.#hits(faults.deafToCanaries)) answer = withoutHearing(answer);
    if (this.#hits(faults.mixedUp)) answer = mixUp(answer, dice);
    logged.answer = { ...answer, answeredAt: timestamp(this.#time.now) };
    return answeredWith(answer, stampOf(logged), dice);
  }

  #answerSingle({ users, targets, tokens }: Asked, logged: LoggedRequest): unknown {
    const { dice, world, faults } = this.#scenario;
    const [target] = targets;
    const [token] = tokens;
    if (target === undefined) throw new Error("a single request has a target");
    const flags = targetFlags(world, target, users);
    const isOther = this.#hits(faults.mixedUp);
    const echo = isOther ? `0x${dice.hex(40)}` : target.address;
    logged.answer = {
      targets: [{ ...target, address: echo, flags }],
      tokens: token === undefined ? [] : [{ ...token, flags: tokenFlags(world, token) }],
      answeredAt: timestamp(this.#time.now),
    };
    const stamp = stampOf(logged);
    return {
      code: "0",
      status: "ok",
      data: {
        target_address: { ...flags, ...stamp },
        token_address: token === undefined ? {} : { ...tokenFlags(world, token), ...stamp },
        target_address_input: echo,
        user_address_input: users[0]?.address ?? "",
        token_address_input: token?.address ?? "",
      },
    };
  }

  #answerToken(address: string, logged: LoggedRequest): unknown {
    const { dice, world, faults } = this.#scenario;
    const now = this.#time.ticks;
    const readyAt = this.#analyses.get(address) ?? now + (world.analysisMs.get(address) ?? 0);
    this.#analyses.set(address, readyAt);
    if (now < readyAt || this.#hits(faults.failing / 2)) {
      logged.said = "in progress";
      return { code: "0", status: "in progress", pollAfter: dice.pick([0, 1, 3, 12, 30]) };
    }
    const kind = world.badTokens.get(address);
    logged.said = kind ?? "clean";
    const about = this.#hits(faults.mixedUp) ? `0x${dice.hex(40)}` : address;
    const { security_risks: risks, ...data } = clean.tokenSecurity;
    const security_risks = {
      ...risks,
      is_honeypot: kind === "honeypot" ? "1" : "0",
      hidden_owner: kind === "owner" ? "1" : "0",
    };
    return {
      code: "0",
      status: "ok",
      data: { ...data, security_risks, address: `eth:${about}`, answered_in: logged.number },
    };
  }

  #answerClass(address: string, isStrict: boolean, logged: LoggedRequest): unknown {
    const { dice, world, faults } = this.#scenario;
    if ((isStrict && dice.chance(0.3)) || this.#hits(faults.failing / 4)) {
      logged.said = "notok";
      return { code: "0", status: "notok" };
    }
    const isUnverified = world.unverified.has(address);
    logged.said = isUnverified ? "unverified" : "clean";
    const about = this.#hits(faults.mixedUp) ? `0x${dice.hex(40)}` : address;
    const classification = isUnverified ? "Unverified" : "ERC20";
    const data = { ...clean.classification, classification, address: `eth:${about}`, answered_in: logged.number };
    return { code: "0", status: "ok", data };
  }
}

function stampOf({ number, isStamped }: LoggedRequest): object {
  return isStamped ? { answered_in: number } : {};
}

function askedIn(route: RouteName, request: unknown): Asked {
  if (route === "poisoningBatch") {
    const { user_addresses, target_addresses, token_addresses } = request as SentTo<"poisoningBatch">;
    const items = (array: readonly { chain_id: unknown; address: string }[] = []) =>
      array.map(({ chain_id, address }) => ({ chain_id: String(chain_id), address }));
    return { users: items(user_addresses), targets: items(target_addresses), tokens: items(token_addresses) };
  }
  const {
    chain_id: id,
    chainId,
    address,
    user_address: user,
    token_address: token,
  } = request as Readonly<Record<string, string>>;
  const chain_id = id ?? chainId ?? "";
  const item = (text: string | undefined) => (text === undefined ? [] : [{ chain_id, address: text }]);
  return { users: item(user), targets: item(address), tokens: item(token) };
}
