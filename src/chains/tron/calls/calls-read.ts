import { callsInside } from "./calls-inside.ts";
import type { Payout } from "./payout.ts";
import { payoutsOf } from "./payouts.ts";
import { type CallReading, readTokenCall } from "./token-call.ts";

/** One call of a contract, and what its data tells. */
export interface ReadCall {
  readonly data: string;
  readonly reading: CallReading;
  /** Undefined for a function that is not known. */
  readonly payouts: readonly Payout[] | undefined;
}

/** Calldata as the calls that it holds. */
export interface ReadCalls {
  /** The whole of it, as a token's contract reads it. */
  readonly call: CallReading;
  /** Itself, or the calls of a multicall, in order. */
  readonly calls: readonly ReadCall[];
  /** There are more, which were not looked at. */
  readonly isCut: boolean;
}

/** Reads calldata once for everything that is asked of it: of sixty-three calls that is most of the work of a verdict. */
export function readCalls(data: string): ReadCalls {
  const { calls, isCut } = callsInside(data);
  const read = calls.map((call) => ({ data: call, reading: readTokenCall(call), payouts: payoutsOf(call) }));
  return { call: readTokenCall(data), calls: read, isCut };
}

/** The token calls in a multicall of calldata that is none itself. */
export function tokenCallsIn({ calls }: ReadCalls): readonly Extract<CallReading, { readonly is: "token" }>[] {
  return calls.map(({ reading }) => reading).filter((reading) => reading.is === "token");
}
