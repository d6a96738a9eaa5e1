import type { Lane } from "../../events/lane.ts";

/** Who wants to know something. */
export interface Claim {
  readonly lane: Lane;
  /** Empty for events without one, which count as those of one tenant. */
  readonly tenant: string;
}

/** For whom a request is to be made: everyone who asked the same. Grows while it waits. */
export interface Turn {
  lane: Lane;
  /** Each once. Others may have the very same list. */
  tenants: readonly string[];
  /** Its number among all that came to its line, while it has one. Set by `Places`. */
  place?: number | undefined;
  /** How many of those who came next go before it. Set by `Places`. */
  behind?: number | undefined;
}

/** One that asks for one slot at a time on behalf of many, and chooses among them when it comes. */
export interface Company {
  /** How much the tenants weigh together for whom it waits in a lane; 0: for nobody. */
  waits(lane: Lane): number;
}

export function isCompany(asker: Turn | Company): asker is Company {
  return "waits" in asker;
}

export function turnOf({ lane, tenant }: Claim): Turn {
  return { lane, tenants: [tenant] };
}

/** One more wants to know: who waits for it in realtime makes it realtime, where it comes last. */
export function joinTurn(turn: Turn, { lane, tenant }: Claim): void {
  if (lane !== turn.lane && lane === "realtime") {
    turn.lane = lane;
    turn.place = undefined;
  }
  if (!turn.tenants.includes(tenant)) turn.tenants = [...turn.tenants, tenant];
}
