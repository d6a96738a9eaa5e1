import type { CanonicalAddress } from "../address.ts";
import type { Payment } from "../payment-mistakes.ts";
import { isAnyPrice } from "./calls/left-behind.ts";
import { isMultiSend } from "./calls/safe-libraries.ts";
import type { PayOut } from "./calls/service-call.ts";
import type { EvmReading } from "./read-transaction.ts";

/** The payments of an EVM transaction, as far as calldata tells. */
export function* paymentsIn(does: EvmReading): Generator<Payment> {
  for (const token of does.bought) yield { to: token, runs: "trade" };
  const called = new Set(does.contracts);
  for (const act of does.acts) {
    if (act.does === "transfer") yield { to: act.to, token: act.token, runs: "nothing" };
    if (act.does === "pay_out") yield proceedsOf(act);
    if (act.does === "hand_over") yield { to: act.to, runs: "call" };
    if (act.does === "pay_abroad") yield { to: act.by, runs: "abroad" };
    if (act.does !== "pay") continue;
    const isCalled = act.amount > 0n && called.has(act.to);
    const isLeft = isCalled && isMultiSend(act.to) && keeps(act.to, does);
    yield { to: act.to, runs: isCalled ? "call" : "code", ...(isLeft ? { isLeft } : {}) };
  }
}

function proceedsOf(act: PayOut): Payment {
  const { by, to, token } = act;
  return {
    to,
    runs: "proceeds",
    isLeft: to === by,
    isAnyPrice: isAnyPrice(act),
    ...(token === undefined ? {} : { token }),
  };
}

/** Whether a contract receives more coins than it forwards. */
function keeps(contract: CanonicalAddress, { acts }: EvmReading): boolean {
  let kept = 0n;
  for (const act of acts) {
    if (act.does !== "pay") continue;
    if (act.to === contract) kept += act.amount;
    if (act.from === contract) kept -= act.amount;
  }
  return kept > 0n;
}
