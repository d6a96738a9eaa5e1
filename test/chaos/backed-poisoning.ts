import { canaryPairs } from "../../src/worker/batching/calibration/canary-pairs.generated.ts";
import type { ChaosEvent } from "./events.ts";
import { type Answer, didSing, type Flags, isRaised, type LogLine } from "./service-log.ts";
import { type Item, itemKey, Users } from "./truth.ts";

/** The part of a verdict about an answer on poisoning, with the verdict's own times. */
export interface PoisoningSaid {
  readonly requestedAt: string | undefined;
  readonly answeredAt: string | undefined;
  readonly data: { readonly target: Stamped; readonly token?: Stamped };
}

type Stamped = Flags & { readonly answered_in?: number };

/** Complete and true answers about poisoning that the service sent, from its own log. */
export class AnswersGiven {
  readonly #byTarget = new Map<string, { readonly line: LogLine; readonly answer: Answer }[]>();

  constructor(log: ReadonlyMap<number, LogLine>) {
    for (const line of log.values()) {
      const { route, answer } = line;
      if (route !== "poisoning" || answer === undefined) continue;
      for (const key of new Set(answer.targets.map(itemKey))) {
        const others = this.#byTarget.get(key);
        if (others === undefined) this.#byTarget.set(key, [{ line, answer }]);
        else others.push({ line, answer });
      }
    }
  }

  /**
   * The faults of evidence. There is none when the log has a matching answer about this very item. That answer must be
   * sent during the wait, and be reliable. A stamp in the evidence names the answer. Evidence without a stamp must come
   * from an answer without one.
   */
  faultsOf(said: PoisoningSaid, event: ChaosEvent & { readonly target: Item }): readonly string[] {
    const stamp = said.data.target.answered_in;
    const about = this.#byTarget.get(itemKey(event.target)) ?? [];
    const each = about.flatMap(({ line, answer }) => {
      const isMeant = stamp === (line.isStamped ? line.number : undefined);
      const again = about.map((other) => other.answer);
      return isMeant && wasWaitedFor(line, said) ? [faultsBy(answer, said.data, event, again)] : [];
    });
    return each.find((faults) => faults.length === 0) ?? each[0] ?? ["the service did not answer that, then"];
  }
}

/** The wait begins with the first request of the question; all processes of a run share one clock. */
function wasWaitedFor({ at }: LogLine, { requestedAt = "", answeredAt = "" }: PoisoningSaid): boolean {
  return Date.parse(requestedAt) <= at && at <= Date.parse(answeredAt);
}

function faultsBy(
  answer: Answer,
  { target, token }: PoisoningSaid["data"],
  event: ChaosEvent & { readonly target: Item },
  about: readonly Answer[],
): readonly string[] {
  const { users, targets, tokens } = answer;
  const faults: string[] = [];
  const named = new Set(users.map(itemKey));
  const own = new Set(event.users.map(itemKey));
  if (!own.isSubsetOf(named)) faults.push("its users were not in the request");
  const isPooled = !named.isSubsetOf(own);
  if (isPooled && !didSing(answer)) faults.push("it was pooled, and no canary proves the request");
  const isFlagged = isRaised(target) || (token !== undefined && isRaised(token));
  if (isPooled && isFlagged && !isConfirmed({ target, ...(token === undefined ? {} : { token }) }, event, about))
    faults.push("a pooled flag was not confirmed");
  if (!isSaid(targets, event.target, target)) faults.push("its target was answered otherwise");
  if ((token === undefined) !== (event.token === undefined)) faults.push("its token was left out");
  else if (token !== undefined && event.token !== undefined) {
    if (!isSaid(tokens, event.token, token)) faults.push("its token was answered otherwise");
    if (token.answered_in !== target.answered_in) faults.push("its token is of another answer");
  }
  return faults;
}

/**
 * Whether a flag is confirmed: by an imitation of the event's own user, or by an answer that does not depend on users.
 */
function isConfirmed(
  { target, token }: PoisoningSaid["data"],
  event: ChaosEvent & { readonly target: Item },
  about: readonly Answer[],
): boolean {
  if (target["mimics_user"] === "1") return new Users(event.users).areImitatedBy(event.target);
  return about.some(
    (answer) =>
      answer.users.every(({ address }) => canaryUsers.has(address)) &&
      didSing(answer) &&
      isSaid(answer.targets, event.target, target) &&
      (token === undefined || event.token === undefined || isSaid(answer.tokens, event.token, token)),
  );
}

const canaryUsers = new Set<string>(canaryPairs.map(({ user }) => user));

function isSaid(items: Answer["targets"], asked: Item, flags: Flags): boolean {
  const [found, ...others] = items.filter((item) => itemKey(item) === itemKey(asked));
  if (found === undefined || others.length > 0) return false;
  return Object.entries(found.flags).every(([name, value]) => flags[name] === value);
}
