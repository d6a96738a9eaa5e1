import type { InputRecord } from "../../src/worker/ports.ts";
import { screening } from "../../src/worker/screening/screener.ts";
import type { ScreenDeps } from "../../src/worker/screening/screening-task.ts";

/** Screens one record until it is complete. */
export function screenRecord(record: InputRecord, deps: ScreenDeps): Promise<void> {
  return screening(deps)(record);
}
