/**
 * An `amount` of the smallest unit as a decimal number of whole units, exactly and without trailing zeros. -1500000
 * with 6 decimals is -1.5.
 */
export function amountText(amount: bigint, decimals: number): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return `${amount < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}
