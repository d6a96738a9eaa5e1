import type { AuditedListSets } from "../../src/archive/audit/audit-finding.ts";
import { LIST_SETS, listSetFault, listSetKey } from "../../src/labels/list-set.ts";

/** Sets of lists as an audit of a worker's own archive looks at them. */
export const auditedListSets: AuditedListSets = {
  folder: LIST_SETS,
  keyOf: listSetKey,
  fault: listSetFault,
  keptIn: "archive",
  whyMissing: "it is not there",
  onLogged: () => undefined,
};
