import { canaryPairs } from "../../src/worker/batching/calibration/canary-pairs.generated.ts";
import type { Said } from "./read-by-hand.ts";
import { type Item, isRaised, itemKey } from "./truth.ts";

/** One item of the service's answer: with its flags, or without flags when it failed by itself. */
export interface LoggedItem extends Item {
  readonly flags: Readonly<Record<string, unknown>> | undefined;
}

/** An answer, read from its bytes by hand. */
export interface LoggedAnswer extends Said {
  /** Whether the service sent this answer. Otherwise the bytes were changed on their way and still form an answer. */
  readonly isTrue: boolean;
  /** Time of arrival at the worker by the wall clock, in the format of a verdict. */
  readonly answeredAt: string;
  /** Time of arrival at the worker on the monotonic clock. */
  readonly answeredTicks: number;
}

/** One request as the service received it, and the answer that it sent. */
export interface LoggedRequest {
  readonly number: number;
  /** The process that sent the request; the first is 0. */
  readonly life: number;
  readonly route: string;
  readonly bytes: string;
  readonly sentAt: number;
  /** Time of sending by the wall clock, in the format of a verdict. */
  readonly requestedAt: string;
  /** Whether an answer about poisoning carries the number of its request. Nearly all answers carry only their flags. */
  readonly isStamped: boolean;
  readonly users: readonly Item[];
  readonly asked: readonly Item[];
  /** The keys of the requested items. */
  readonly keys: ReadonlySet<string>;
  /** The keys of the transactions, in order. */
  readonly transactions: readonly string[];
  /** Canary targets of the request. */
  readonly canaries: ReadonlySet<string>;
  /** Absent until a full and valid answer has reached the worker. */
  answer?: LoggedAnswer;
}

/** The outcome of a request from the view of the service: its status, and the wait that a 429 asks for. */
export interface Ending {
  /** 0: there was no response. */
  readonly status: number;
  readonly waitMs?: number;
  /** Whether the worker took the response as a sign that the service is up. An invalid answer counts too. */
  readonly isHeard?: boolean;
}

const canaryByTarget = new Map<string, string>(canaryPairs.map(({ user, target }) => [target, user]));

const NONE: ReadonlySet<string> = new Set();

/** The canary pairs of a request: canary targets with their users beside them. */
export function canariesIn(users: readonly Item[], asked: readonly Item[]): ReadonlySet<string> {
  const targets = asked.filter(({ address }) => canaryByTarget.has(address));
  if (targets.length === 0) return NONE;
  const names = new Set(users.map(itemKey));
  const isBeside = ({ chain_id, address }: Item) =>
    names.has(itemKey({ chain_id, address: canaryByTarget.get(address) ?? "" }));
  return new Set(targets.filter(isBeside).map(itemKey));
}

/**
 * Whether a request proves its answers on a chain. Each of its chains has a canary, and the answer flags all canaries
 * on this chain. The answer flags or refuses the canaries of other chains.
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

/** Whether a canary of the request was answered exactly once, without any flag. */
export function wasSilent({ canaries, answer }: LoggedRequest): boolean {
  return [...canaries].some((key) => {
    const [item, ...others] = answer?.targets.filter((each) => itemKey(each) === key) ?? [];
    return others.length === 0 && item?.flags !== undefined && !isRaised(item.flags);
  });
}
