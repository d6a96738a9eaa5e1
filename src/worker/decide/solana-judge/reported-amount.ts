const DECIMALS = /^\d{1,3}$/;
const AMOUNT = /^([+-]?)(\d{1,60})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,2}))?$/;

/** Services round amounts to floating-point precision, so amounts within a millionth are equal. */
const PARTS = 1_000_000n;

/** The decimals that a `divisor` states. Undefined if it states none. */
export function decimalsIn(divisor: string): number | undefined {
  return DECIMALS.test(divisor) ? Number(divisor) : undefined;
}

/**
 * Whether `amount_change`, in whole tokens, equals the change in the smallest unit. An empty amount is accepted.
 * Without decimals only the sign is compared.
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
