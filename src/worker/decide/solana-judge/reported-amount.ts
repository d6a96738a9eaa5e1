const DECIMALS = /^\d{1,3}$/;
const AMOUNT = /^([+-]?)(\d{1,60})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,2}))?$/;

/** Services round amounts to the digits of a floating-point number: a millionth off is the same amount. */
const PARTS = 1_000_000n;

/** The decimals that a `divisor` tells; undefined where it tells none. */
export function decimalsIn(divisor: string): number | undefined {
  return DECIMALS.test(divisor) ? Number(divisor) : undefined;
}

/**
 * Whether `amount_change`, in whole tokens, tells the same as the change in the smallest unit. An empty one tells nothing,
 * and without decimals there is nothing to compare but the sign.
 */
export function isSameAmount(amountChange: string, delta: bigint, decimals: number | undefined): boolean {
  if (amountChange === "") return true;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = AMOUNT.exec(amountChange) ?? [];
  if (whole === "") return false;
  const digits = BigInt(whole + fraction) * (sign === "-" ? -1n : 1n);
  if (decimals === undefined) return Math.sign(Number(digits)) === Math.sign(Number(delta));
  const places = decimals + Number(exponent) - fraction.length;
  const [told, exact] = places < 0 ? [digits, delta * 10n ** BigInt(-places)] : [digits * 10n ** BigInt(places), delta];
  return absolute(told - exact) * PARTS <= absolute(exact);
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
