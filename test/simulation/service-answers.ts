import type { RouteName } from "../../src/api/routes.ts";
import { clean } from "../fakes/evidence.ts";
import { type Asked, askedIn } from "./asked-in.ts";
import { answeredWith, mixUp, withoutHearing } from "./mixed-up.ts";
import type { Scenario } from "./scenario.ts";
import type { LoggedItem, LoggedRequest } from "./service-log.ts";
import { answerAbout } from "./transaction-answers.ts";
import { type Item, itemKey, prefixed, targetFlags, tokenFlags, tokenKind } from "./truth.ts";
import type { VirtualTime } from "./virtual-clock.ts";

/** The item of a request that names no address. The worker never sends such a request. */
const NOBODY: Item = { chain_id: "", address: "" };

/** The answers of a scenario's service: the truth of its world, sometimes mixed up. */
export class ServiceAnswers {
  readonly #scenario: Scenario;
  readonly #time: VirtualTime;
  /** The time at which the analysis of each token is ready. */
  readonly #analyses = new Map<string, number>();
  #isHealed = false;

  constructor(scenario: Scenario, time: VirtualTime) {
    this.#scenario = scenario;
    this.#time = time;
  }

  to(route: RouteName, request: unknown, logged: LoggedRequest): unknown {
    if (route === "poisoningBatch") return this.#toMany(askedIn(route, request), logged);
    if (route === "poisoningSingle" || route === "poisoningQuery") return this.#toOne(askedIn(route, request), logged);
    if (logged.transactions.length > 0) return this.#aboutTransactions(route, request, logged);
    const [item = NOBODY] = askedIn(route, request).targets;
    const { strict } = request as { strict?: string };
    return route === "tokenSecurity"
      ? this.#aboutToken(item, logged)
      : this.#aboutClass(item, strict === "true", logged);
  }

  heal(): void {
    this.#isHealed = true;
  }

  #hits(probability: number): boolean {
    return !this.#isHealed && this.#scenario.dice.chance(probability);
  }

  #toMany({ users, targets, tokens }: Asked, logged: LoggedRequest): unknown {
    const { dice, world, faults } = this.#scenario;
    const about = (flags: (item: Item) => LoggedItem["flags"]) => (item: Item) => ({ ...item, flags: flags(item) });
    const isRefused = ({ chain_id }: Item) => chain_id === world.unsupported;
    const isFailing = (item: Item) =>
      isRefused(item) || world.failing.has(item.address) || this.#hits(faults.itemError);
    let answer = {
      targets: targets.map(about((item) => (isFailing(item) ? undefined : targetFlags(world, item, users)))),
      tokens: tokens.map(about((item) => (isRefused(item) ? undefined : tokenFlags(world, item)))),
    };
    if (logged.canaries.size > 0 && this.#hits(faults.deafToCanaries)) answer = withoutHearing(answer);
    if (this.#hits(faults.mixedUp)) answer = mixUp(answer, dice);
    return answeredWith(answer, stampOf(logged), dice);
  }

  #toOne({ users, targets, tokens }: Asked, logged: LoggedRequest): unknown {
    const { dice, world, faults } = this.#scenario;
    const [target] = targets;
    const [token] = tokens;
    if (target === undefined) throw new Error("a single request has a target");
    const echo = this.#hits(faults.mixedUp) ? `0x${dice.hex(40)}` : target.address;
    const stamp = stampOf(logged);
    return {
      code: "0",
      status: "ok",
      data: {
        target_address: { ...targetFlags(world, target, users), ...stamp },
        token_address: token === undefined ? {} : { ...tokenFlags(world, token), ...stamp },
        target_address_input: echo,
        user_address_input: users[0]?.address ?? "",
        token_address_input: token?.address ?? "",
      },
    };
  }

  #aboutTransactions(route: RouteName, request: unknown, logged: LoggedRequest): unknown {
    const { dice, transactions, faults } = this.#scenario;
    const mishaps = { isSpoilt: this.#hits(2 * faults.mixedUp), isMixedUp: this.#hits(faults.mixedUp) };
    return answerAbout(route, request, logged, transactions, mishaps, dice);
  }

  #aboutToken(token: Item, logged: LoggedRequest): unknown {
    const { dice, world, faults } = this.#scenario;
    const now = this.#time.ticks;
    const readyAt = this.#analyses.get(itemKey(token)) ?? now + (world.analysisMs.get(token.address) ?? 0);
    this.#analyses.set(itemKey(token), readyAt);
    if (now < readyAt || this.#hits(faults.failing / 2))
      return { code: "0", status: "in progress", pollAfter: dice.pick([0, 1, 3, 12, 30]) };
    const kind = tokenKind(world, token);
    const { security_risks: risks, ...data } = clean.tokenSecurity;
    const security_risks = {
      ...risks,
      is_honeypot: kind === "honeypot" ? "1" : "0",
      hidden_owner: kind === "owner" ? "1" : "0",
    };
    return {
      code: "0",
      status: "ok",
      data: { ...data, security_risks, address: this.#nameOf(token), answered_in: logged.number },
    };
  }

  #aboutClass(item: Item, isStrict: boolean, logged: LoggedRequest): unknown {
    const { dice, world, faults } = this.#scenario;
    if ((isStrict && dice.chance(0.3)) || this.#hits(faults.failing / 4)) return { code: "0", status: "notok" };
    const isUnverified = world.unverified.has(item.address);
    const classification = isUnverified ? "Unverified" : "ERC20";
    const data = { ...clean.classification, classification, address: this.#nameOf(item), answered_in: logged.number };
    return { code: "0", status: "ok", data };
  }

  /** The name of the answered address: another address or chain when the service mixes them up. */
  #nameOf(item: Item): string {
    const { dice, faults } = this.#scenario;
    if (!this.#hits(faults.mixedUp)) return prefixed(item);
    const isOfChain = dice.chance(0.5);
    return prefixed(isOfChain ? item : { ...item, address: `0x${dice.hex(40)}` }, isOfChain);
  }
}

function stampOf({ number, isStamped }: LoggedRequest): object {
  return isStamped ? { answered_in: number } : {};
}
