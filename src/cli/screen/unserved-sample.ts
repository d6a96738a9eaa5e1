import { STDIN } from "../../adapters/files/input/input-bytes.ts";
import { isRegularFile } from "../../adapters/files/input/lines.ts";
import { type RecordsOptions, readRecords } from "../../adapters/files/input/records.ts";
import type { AddressBook } from "../../labels/address-book.ts";
import type { PolicyChoice } from "../../policy/policy.ts";
import { UnservedChecks } from "../../worker/estimate/unserved-checks.ts";
import { plan } from "../../worker/plan/plan.ts";
import { unservedLines } from "../terminal/unserved-lines.ts";
import { embeddedNodes, type NodeSettings } from "../wiring/service-nodes.ts";

/** Records that are looked at before a run. Chosen: a column that every row has shows, and the run hardly starts later. */
const SAMPLE = 2_000;

interface SampleOptions {
  readonly input: RecordsOptions;
  readonly policyFor: PolicyChoice;
  readonly book: AddressBook;
  readonly config: NodeSettings;
  /** Records to look at, 2,000 unless another number is given. */
  readonly most?: number;
}

/** What the run's own service cannot answer of the first records of a file. A pipe can be read only once. */
export async function unservedInSample(options: SampleOptions): Promise<readonly string[]> {
  const { input, policyFor, book, config, most = SAMPLE } = options;
  const nodes = await embeddedNodes(config);
  if (nodes === undefined || input.path === STDIN || !(await isRegularFile(input.path))) return [];
  const unserved = new UnservedChecks(nodes);
  let records = 0;
  for await (const { event } of readRecords(input)) {
    if (event.ok) unserved.add(plan(event.value, policyFor(event.value.tenant).table, book).questions);
    if (++records >= most) break;
  }
  return unservedLines(unserved.rows()).map((line) => `of the first ${records} records, ${line}`);
}
