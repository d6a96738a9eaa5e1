import { canaryPairs } from "../../src/worker/batching/calibration/canary-pairs.generated.ts";
import { type Item, itemKey } from "./truth.ts";

/** Flags of one item, as in the answer. */
export type Flags = Readonly<Record<string, string>>;

/** One line of the service's own log, written before its answer is sent. */
export interface LogLine {
  readonly number: number;
  /** Unix milliseconds. */
  readonly at: number;
  /** The HTTP status, or the fault in place of an answer. */
  readonly outcome: string;
  readonly route: "poisoning" | "token";
  /**
   * Whether the answer names this line. Most answers have no addition to the interface, like those of a real service.
   */
  readonly isStamped: boolean;
  /** Present only when the complete and true answer was sent. */
  readonly answer?: Answer;
}

export interface Answer {
  readonly users: readonly Item[];
  readonly targets: readonly (Item & { readonly flags: Flags })[];
  readonly tokens: readonly (Item & { readonly flags: Flags })[];
  /** The token that was analysed. */
  readonly analysed?: Item;
}

const userOfCanary = new Map<string, string>(canaryPairs.map(({ user, target }) => [target, user]));

/** Whether every chain of a batch request has a canary beside its user, and all canaries are flagged. */
export function didSing({ users, targets, tokens }: Answer): boolean {
  const named = new Set(users.map(itemKey));
  const canaries = targets.filter((item) => {
    const user = userOfCanary.get(item.address);
    return user !== undefined && named.has(itemKey({ ...item, address: user }));
  });
  const chains = new Set(canaries.map(({ chain_id }) => chain_id));
  const isCovered = [...targets, ...tokens].every(({ chain_id }) => chains.has(chain_id));
  return canaries.length > 0 && isCovered && canaries.every(({ flags }) => isRaised(flags));
}

const raisable = ["is_poisoning", "mimics_user", "mimics_exchange", "mimics_top_token"];

export function isRaised(flags: object): boolean {
  return raisable.some((name) => Reflect.get(flags, name) === "1");
}
