import { canaryPairs } from "../../src/worker/batching/calibration/canary-pairs.generated.ts";
import type { Said } from "./read-by-hand.ts";
import { type Item, isRaised, itemKey } from "./truth.ts";

/** One item as the service answered it: with its flags, or with none when it failed by itself. */
export interface LoggedItem extends Item {
  readonly flags: Readonly<Record<string, unknown>> | undefined;
}

/** An answer as its bytes say it, read by hand. */
export interface LoggedAnswer extends Said {
  /** Whether the service said so; otherwise the bytes were changed on their way, and are an answer all the same. */
  readonly isTrue: boolean;
  /** When it reached the worker, by the wall clock, as a verdict says it. */
  readonly answeredAt: string;
  /** The same on the monotonic clock. */
  readonly answeredTicks: number;
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
  /** The same, each by its key. */
  readonly keys: ReadonlySet<string>;
  /** What tells each of its transactions from all others, in order. */
  readonly transactions: readonly string[];
  /** Canary targets among what was asked. */
  readonly canaries: ReadonlySet<string>;
  /** Absent until an answer has reached the worker, full and valid. */
  answer?: LoggedAnswer;
}

/** What became of a request, as the service knows it: its status, and for how long a 429 asked to wait. */
export interface Ending {
  /** 0: there was no response. */
  readonly status: number;
  readonly waitMs?: number;
  /** Whether the worker read it as the word of a service that is up, if only of an answer that is none. */
  readonly isHeard?: boolean;
}

const canaryByTarget = new Map<string, string>(canaryPairs.map(({ user, target }) => [target, user]));

const NONE: ReadonlySet<string> = new Set();

/** The canary pairs that a request holds: targets of nobody with their users beside them. */
export function canariesIn(users: readonly Item[], asked: readonly Item[]): ReadonlySet<string> {
  const targets = asked.filter(({ address }) => canaryByTarget.has(address));
  if (targets.length === 0) return NONE;
  const names = new Set(users.map(itemKey));
  const isBeside = ({ chain_id, address }: Item) =>
    names.has(itemKey({ chain_id, address: canaryByTarget.get(address) ?? "" }));
  return new Set(targets.filter(isBeside).map(itemKey));
}

/**
 * Whether a request proves what it says on a chain: each of its chains has a canary, the answer flags all on this one,
 * and those of others it flags or refuses.
 */
export function didSing({ asked, canaries, answer }: LoggedRequest, chainId: string): boolean {
  if (answer === undefined || canaries.size === 0) return false;
  const chains = new Set([...canaries].map((key) => key.split("|")[0]));
  if (asked.some(({ chain_id }) => !chains.has(chain_id))) return false;
  return [...canaries].every((key) => {
    const [item, ...others] = answer.targets.filter((each) => itemKey(each) === key);
    if (item === undefined || others.length > 0) return false;
    return item.flags === undefined ? item.chain_id !== chainId : isRaised(item.flags);
  });
}

/** Whether a canary of the request was answered, once, with no flag at all. */
export function wasSilent({ canaries, answer }: LoggedRequest): boolean {
  return [...canaries].some((key) => {
    const [item, ...others] = answer?.targets.filter((each) => itemKey(each) === key) ?? [];
    return others.length === 0 && item?.flags !== undefined && !isRaised(item.flags);
  });
}
