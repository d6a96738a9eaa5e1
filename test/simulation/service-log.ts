import { canaryPairs } from "../../src/worker/poisoning-pool/canary-pairs.generated.ts";
import { type Item, isRaised, itemKey } from "./truth.ts";

/** One item as the service answered it: with its flags, or with none when it failed by itself. */
export interface LoggedItem extends Item {
  readonly flags: Readonly<Record<string, string>> | undefined;
}

export interface LoggedAnswer {
  readonly targets: readonly LoggedItem[];
  readonly tokens: readonly LoggedItem[];
  /** When it reached the worker, by the wall clock, as a verdict says it. */
  readonly answeredAt: string;
}

/** One request as the service had it, and what it truly answered. */
export interface LoggedRequest {
  readonly number: number;
  /** Which process sent it, the first being 0. */
  readonly life: number;
  readonly route: string;
  readonly bytes: string;
  readonly sentAt: number;
  /** The same by the wall clock, as a verdict says it. */
  readonly requestedAt: string;
  /** Whether an answer about poisoning carries the number of this request; nearly all carry nothing beside their flags. */
  readonly isStamped: boolean;
  readonly users: readonly Item[];
  readonly asked: readonly Item[];
  /** Canary targets among what was asked. */
  readonly canaries: ReadonlySet<string>;
  /** Absent until the answer has reached the worker. */
  answer?: LoggedAnswer;
  /** Of a question that is not about poisoning: whether it was answered, and how. */
  said?: string;
}

const canaryByTarget = new Map<string, string>(canaryPairs.map(({ user, target }) => [target, user]));

/** The canary pairs that a request holds: targets of nobody with their users beside them. */
export function canariesIn(users: readonly Item[], asked: readonly Item[]): ReadonlySet<string> {
  const names = new Set(users.map(itemKey));
  return new Set(
    asked
      .filter((item) => {
        const user = canaryByTarget.get(item.address);
        return user !== undefined && names.has(itemKey({ ...item, address: user }));
      })
      .map(itemKey),
  );
}

/** Whether each chain of a request has a canary, and the answer flags all of them. */
export function didSing({ asked, canaries, answer }: LoggedRequest): boolean {
  if (answer === undefined || canaries.size === 0) return false;
  const chains = new Set([...canaries].map((key) => key.split("|")[0]));
  if (asked.some(({ chain_id }) => !chains.has(chain_id))) return false;
  return [...canaries].every((key) => {
    const items = answer.targets.filter((item) => itemKey(item) === key);
    return items.length === 1 && items[0]?.flags !== undefined && isRaised(items[0].flags);
  });
}

/** Whether a canary of the request was answered, once, with no flag at all. */
export function wasSilent({ canaries, answer }: LoggedRequest): boolean {
  return [...canaries].some((key) => {
    const [item, ...others] = answer?.targets.filter((each) => itemKey(each) === key) ?? [];
    return others.length === 0 && item?.flags !== undefined && !isRaised(item.flags);
  });
}
