import type { CanonicalAddress } from "../../address.ts";
import type { PayOut, ServiceReading } from "./service-call.ts";
import type { Called } from "./token-calls.ts";
import type { Taking } from "./trade.ts";
import { isWrappedCoin } from "./wrapped-coins.ts";

/** The share of a payment that is a usual fee, in 1 of 10,000. Source: Uniswap V3, PeripheryPaymentsWithFee. */
const USUAL_FEE_BIPS = 100n;
/** A bound below this is none. Chosen: less than a cent of every listed token with six decimals and more. */
const SMALLEST_BOUND = 1_000n;

interface Left {
  readonly payOut: PayOut;
  /** The exact amount, or the least amount of a trade. */
  amount: bigint | undefined;
  /** Set where the proceeds are two tokens that the calldata does not name, such as the fees of a position. */
  readonly half?: "coins" | "token";
}

interface Coins {
  received: bigint;
  used: bigint;
}

/**
 * The assets that calls leave with a router, in the order of the calls. A router pays what it has to its next caller,
 * so a later call of the same transaction must forward it.
 */
export class LeftBehind {
  readonly #left: Left[] = [];
  readonly #coins = new Map<CanonicalAddress, Coins>();
  /** The shares of all fees together, since many small fees could take everything. */
  #feeBips = 0n;

  /** Coins go to a contract beside a call that a service's table explains. */
  receive(contract: CanonicalAddress, value: bigint): void {
    const coins = this.#coinsOf(contract);
    coins.received += value;
  }

  /** Adds one call. @returns the payments that are final, with their bounds. */
  add(reading: ServiceReading, { by, contract }: Called): readonly PayOut[] {
    const { payOuts, takes, forwards, fee, usesCoins } = reading;
    this.#coinsOf(contract).used += usesCoins;
    const taken = takes === undefined ? [] : this.#release(contract, takes);
    const final: PayOut[] = [];
    this.#feeBips += fee?.bips ?? 0n;
    if (fee !== undefined && this.#feeBips > USUAL_FEE_BIPS && fee.to !== by) {
      final.push({ does: "pay_out", by: contract, to: fee.to, token: undefined, least: undefined });
    }
    for (const payOut of payOuts) {
      const isBound = forwards && !(isAnyPrice(payOut) && taken.some((each) => isAnyPrice(each.payOut)));
      const bounded = isBound ? { ...payOut, least: undefined } : payOut;
      if (bounded.to === contract) this.#left.push(...leftOf(bounded, reading.paysExactly));
      else if (bounded.to !== by || isAnyPrice(bounded)) final.push(bounded);
    }
    return final;
  }

  /** What no call forwarded: proceeds, and coins that no call used. */
  rest(): readonly PayOut[] {
    const unused = [...this.#coins].filter(([, { received, used }]) => used < received);
    return [
      ...this.#left.map(({ payOut }) => payOut),
      ...unused.map(
        ([contract]): PayOut => ({ does: "pay_out", by: contract, to: contract, token: undefined, least: undefined }),
      ),
    ];
  }

  #coinsOf(contract: CanonicalAddress): Coins {
    const known = this.#coins.get(contract);
    if (known !== undefined) return known;
    const coins = { received: 0n, used: 0n };
    this.#coins.set(contract, coins);
    return coins;
  }

  /** Takes what the contract has of a token. A smaller amount than the contract has leaves the rest there. */
  #release(contract: CanonicalAddress, { token, amount }: Taking): readonly Left[] {
    const taken: Left[] = [];
    const kept = this.#left.filter((each) => {
      if (each.payOut.by !== contract || !isOf(each.payOut.token, token)) return true;
      if (each.half !== undefined && (each.half === "coins") !== (token === "coins")) return true;
      taken.push(each);
      if (amount === undefined || each.amount === undefined || amount >= each.amount) return false;
      each.amount -= amount;
      return true;
    });
    this.#left.splice(0, this.#left.length, ...kept);
    return taken;
  }
}

/** Proceeds without a token and a bound are those of a pool's position: a coin and a token, or two tokens. */
function leftOf(payOut: PayOut, exactly: bigint | undefined): readonly Left[] {
  const amount = exactly ?? payOut.least;
  if (payOut.token !== undefined || amount !== undefined) return [{ payOut, amount }];
  return [
    { payOut, amount, half: "coins" },
    { payOut, amount, half: "token" },
  ];
}

/** Whether the proceeds may be of the token. The calldata of some trades does not name what they buy. */
function isOf(proceeds: CanonicalAddress | undefined, token: Taking["token"]): boolean {
  if (proceeds === undefined || token === undefined) return true;
  return token === "coins" ? isWrappedCoin(proceeds) : proceeds === token;
}

/** Whether a trade has no bound that keeps it from returning nothing. */
export function isAnyPrice({ least }: PayOut): boolean {
  return least !== undefined && least < SMALLEST_BOUND;
}
