import type { AuditedListSets } from "../../src/archive/audit/audit-finding.ts";
import { LIST_SETS, listSetFault, listSetKey } from "../../src/labels/list-set.ts";

/** Sets of lists in the form that an audit of a worker's own archive reads. */
export const auditedListSets: AuditedListSets = {
  folder: LIST_SETS,
  keyOf: listSetKey,
  fault: listSetFault,
  keptIn: "archive",
  whyMissing: "it is not there",
  onLogged: () => undefined,
};
