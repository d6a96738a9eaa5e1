import type { Lane } from "../../messages/lane.ts";
import type { AloneGroup } from "./ask-alone.ts";
import type { SealedBatch } from "./batch.ts";
import { textOf } from "./batch-entry.ts";
import type { BadItemSearch } from "./failures/bad-item-search.ts";
import type { QueuedEntry } from "./queue/entry-queue.ts";
import type { Allowance } from "./queue/request-size.ts";

/**
 * One request, taken from the waiting entries. It carries entries of several events and canaries, or entries with the
 * same users.
 */
export type OutgoingBatch = {
  readonly waiting: readonly QueuedEntry[];
  /** The search for a bad item that this request serves. */
  readonly search?: BadItemSearch<QueuedEntry> | undefined;
  /** The size limit of the request. Undefined when the search had already chosen the entries. */
  readonly allowance?: Allowance | undefined;
} & (
  | {
      readonly kind: "pooled";
      readonly batch: SealedBatch;
      /** Whether the request confirms flags: it holds targets and tokens without the users of their events. */
      readonly isAmongCanaries?: true;
    }
  | { readonly kind: "alone"; readonly group: AloneGroup }
);

/** Some entries of a refused request, to be sent in a request of their own. */
export type BisectionHalf = Pick<OutgoingBatch, "kind" | "waiting" | "search">;

/** Items in the request. */
export function itemsIn(cut: OutgoingBatch): number {
  if (cut.kind === "alone") return cut.group.size;
  const { user_addresses: users, target_addresses: targets, token_addresses: tokens } = cut.batch.request;
  return users.length + targets.length + tokens.length;
}

/** One text for each entry, computed on demand. Answered requests never need the texts. */
export function textsOf({ waiting }: Pick<OutgoingBatch, "waiting">): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      for (const { part } of waiting) yield textOf(part);
    },
  };
}

/** From now on these entries may share a request only with each other. */
export function setApart(members: readonly QueuedEntry[]): void {
  const apart = {};
  for (const member of members) member.half = apart;
}

/** The lane of a half. It is realtime if any entry of the half, or any held entry of its search, is realtime. */
export function laneOf({ waiting, search }: Pick<BisectionHalf, "waiting" | "search">): Lane {
  const isRealtime = ({ lane }: QueuedEntry) => lane === "realtime";
  return waiting.some(isRealtime) || search?.held.some(isRealtime) === true ? "realtime" : "backfill";
}

export function tenantsOf({ waiting }: Pick<BisectionHalf, "waiting">): readonly string[] {
  return waiting.flatMap(({ tenants }) => tenants);
}
