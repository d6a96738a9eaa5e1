import type { Lane } from "../../messages/lane.ts";
import type { AloneGroup } from "./ask-alone.ts";
import type { SealedBatch } from "./batch.ts";
import { textOf } from "./batch-entry.ts";
import type { BadItemSearch } from "./failures/bad-item-search.ts";
import type { Allowance } from "./queue/request-size.ts";
import type { Waiting } from "./queue/waiting.ts";

/** One request, cut from what waits: with strangers and canaries, or with users that all of it has in common. */
export type OutgoingBatch = {
  readonly waiting: readonly Waiting[];
  /** What it is to find out, where others were refused. */
  readonly search?: BadItemSearch<Waiting> | undefined;
  /** What it was allowed to hold; undefined where that was decided before. */
  readonly allowance?: Allowance | undefined;
} & (
  | {
      readonly kind: "pooled";
      readonly batch: SealedBatch;
      /** Whether it holds targets and tokens without their users, to confirm what they are flagged for. */
      readonly isAmongCanaries?: true;
    }
  | { readonly kind: "alone"; readonly group: AloneGroup }
);

/** A part of a refused request, to be sent by itself. */
export type BisectionHalf = Pick<OutgoingBatch, "kind" | "waiting" | "search">;

/** How many items its request holds. */
export function itemsIn(cut: OutgoingBatch): number {
  if (cut.kind === "alone") return cut.group.size;
  const { user_addresses: users, target_addresses: targets, token_addresses: tokens } = cut.batch.request;
  return users.length + targets.length + tokens.length;
}

/** One text for each part, made when it is asked for: those of a request that was answered never are. */
export function textsOf({ waiting }: Pick<OutgoingBatch, "waiting">): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      for (const { part } of waiting) yield textOf(part);
    },
  };
}

/** From now on they may travel with each other alone. */
export function setApart(members: readonly Waiting[]): void {
  const apart = {};
  for (const member of members) member.half = apart;
}

/** Somebody waits for a half in which anybody is realtime, or behind which. */
export function laneOf({ waiting, search }: Pick<BisectionHalf, "waiting" | "search">): Lane {
  const isRealtime = ({ lane }: Waiting) => lane === "realtime";
  return waiting.some(isRealtime) || search?.held.some(isRealtime) === true ? "realtime" : "backfill";
}

export function tenantsOf({ waiting }: Pick<BisectionHalf, "waiting">): readonly string[] {
  return waiting.flatMap(({ tenants }) => tenants);
}
