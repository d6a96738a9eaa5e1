const SUN_PER_TRX = 1_000_000n;

/** 1500000 sun -> 1.5 TRX. */
export function trx(sun: bigint): string {
  const fraction = String(sun % SUN_PER_TRX)
    .padStart(6, "0")
    .replace(/0+$/, "");
  return `${sun / SUN_PER_TRX}${fraction === "" ? "" : `.${fraction}`} TRX`;
}
