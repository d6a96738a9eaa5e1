import type { CanonicalAddress } from "../../address.ts";
import type { PayOut, ServiceReading } from "./service-call.ts";
import type { Called } from "./token-calls.ts";

/** The share of a payment that is a usual fee, in 1 of 10,000. Source: Uniswap V3, PeripheryPaymentsWithFee. */
const USUAL_FEE_BIPS = 100n;

/**
 * The proceeds that calls leave with a router, in the order of the calls. A router pays what it has to its next
 * caller, so a later call of the same transaction must forward it.
 */
export class LeftBehind {
  readonly #left: PayOut[] = [];
  /** The shares of all fees together, since many small fees could take everything. */
  #feeBips = 0n;

  /** Adds one call. @returns the payments that are final, with their bounds. */
  add({ payOuts, takes, forwards, fee }: ServiceReading, { by, contract }: Called): readonly PayOut[] {
    const taken = takes === undefined ? [] : this.#release(takes.token);
    const final: PayOut[] = [];
    this.#feeBips += fee?.bips ?? 0n;
    if (fee !== undefined && this.#feeBips > USUAL_FEE_BIPS && fee.to !== by) {
      final.push({ does: "pay_out", by: contract, to: fee.to, token: undefined, least: undefined });
    }
    for (const payOut of payOuts) {
      if (payOut.to === payOut.by && !forwards) this.#left.push(payOut);
      else {
        const isBound = forwards && !(isAnyPrice(payOut) && taken.some(isAnyPrice));
        const bounded = isBound ? { ...payOut, least: undefined } : payOut;
        if (bounded.to !== by || isAnyPrice(bounded)) final.push(bounded);
      }
    }
    return final;
  }

  /** The proceeds that no call forwarded. */
  rest(): readonly PayOut[] {
    return this.#left;
  }

  /** Takes everything of the token. Where a token is not named, it takes everything of the token that was left last. */
  #release(token: CanonicalAddress | undefined): readonly PayOut[] {
    const last = this.#left.findLast((each) => token === undefined || each.token === undefined);
    const isNamed = token !== undefined && this.#left.some((each) => each.token === token);
    const isTaken = (each: PayOut) =>
      isNamed ? each.token === token : each === last || (last?.token !== undefined && each.token === last.token);
    const taken = this.#left.filter(isTaken);
    this.#left.splice(0, this.#left.length, ...this.#left.filter((each) => !isTaken(each)));
    return taken;
  }
}

/** Whether a trade returns one unit at most. Such a trade can be made to return nothing. */
export function isAnyPrice({ least }: PayOut): boolean {
  return least !== undefined && least <= 1n;
}
