import type { CheckedItem } from "../../adapters/kafka/topics/check.ts";

/** `FAIL  topic screening.events (realtime)  does not exist  -> create it, ...` */
export function checkLine({ check, ok, detail, remedy }: CheckedItem): string {
  const word = ok === "warn" ? "warn" : ok ? "ok" : "FAIL";
  const parts = [word.padEnd(4), check, detail, remedy === "" ? "" : `-> ${remedy}`];
  return parts.filter((part) => part !== "").join("  ");
}
