import { STDIN } from "../../adapters/files/input/input-bytes.ts";
import { isRegularFile } from "../../adapters/files/input/lines.ts";
import { type RecordsOptions, readRecords } from "../../adapters/files/input/records.ts";
import type { ScreenConfig } from "../config/config.ts";

/**
 * The lines before the first record, such as a header; undefined without a record. It also reports an unreadable file
 * before a service is started and before any output. A pipe is skipped, since it can be read only once.
 */
export async function linesBeforeRecords(input: RecordsOptions): Promise<number | undefined> {
  if (input.path === STDIN || !(await isRegularFile(input.path))) return 0;
  const records = readRecords(input);
  const { done, value } = await records.next();
  await records.return(undefined);
  return done === true ? undefined : value.source.line - 1;
}

/** With brokers, a configured quota is shared with workers and other runs. The embedded service has none. */
export function sharesQuota({ SERVICE_URL, SERVICE_QUOTA, KAFKA_BROKERS }: ScreenConfig): boolean {
  return SERVICE_URL !== undefined && SERVICE_QUOTA !== undefined && KAFKA_BROKERS !== undefined;
}

/** Whether the run learns the quota of its key. The embedded service has none. */
export function learnsQuota({ SERVICE_URL, SERVICE_QUOTA }: ScreenConfig): boolean {
  return SERVICE_URL !== undefined && SERVICE_QUOTA === undefined;
}
