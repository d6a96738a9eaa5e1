import { callsInside } from "./calls-inside.ts";
import type { Payout } from "./payout.ts";
import { payoutsOf } from "./payouts.ts";
import { type CallReading, readTokenCall } from "./token-call.ts";

/** One call of a contract, and the meaning of its data. */
export interface ReadCall {
  readonly data: string;
  readonly reading: CallReading;
  /** Undefined for an unknown function. */
  readonly payouts: readonly Payout[] | undefined;
}

/** Calldata, split into the calls that it contains. */
export interface ReadCalls {
  /** The whole calldata, as the contract of a token reads it. */
  readonly call: CallReading;
  /** The call itself, or the calls of a multicall in order. */
  readonly calls: readonly ReadCall[];
  /** Whether there are more calls, which were not read. */
  readonly isCut: boolean;
}

/** Reads calldata once for all rules. For sixty-three calls the reading is most of the work of a verdict. */
export function readCalls(data: string): ReadCalls {
  const { calls, isCut } = callsInside(data);
  const read = calls.map((call) => ({ data: call, reading: readTokenCall(call), payouts: payoutsOf(call) }));
  return { call: readTokenCall(data), calls: read, isCut };
}

/** The token calls inside a multicall. The outer call must not be a token call. */
export function tokenCallsIn({ calls }: ReadCalls): readonly Extract<CallReading, { readonly is: "token" }>[] {
  return calls.map(({ reading }) => reading).filter((reading) => reading.is === "token");
}
