import type { EvidenceOf } from "../../../messages/evidence.ts";
import { isAccusing, isNoClass } from "./classification-words.ts";
import { quoted } from "./quoted.ts";
import { type Finding, ruleFor } from "./rule.ts";

/**
 * A missing, empty or Unverified classification is not a safe verdict. Source: docs/decisions/0001-open-points.md,
 * "Address classification".
 */
export const classificationRule = ruleFor("classification", (data, { table }) => {
  const label = data.classification.trim();
  const unknown = [Reflect.get(data, "unknown") ?? []].flat();
  if (unknown.length > 0) {
    return [
      {
        finding: "unknown",
        severity: "UNKNOWN",
        detail: `the service has no evidence on ${quoted(unknown.join(", "))}`,
      },
    ];
  }
  const accused = accusations(data);
  if (!isNoClass(label)) return accused;
  const detail = label === "" ? "the service has no classification" : `classification is ${quoted(label)}`;
  return [{ finding: "unverified", severity: table.findings.classification.unverified, detail }, ...accused];
});

/**
 * The interface defines no values for labels, so a policy has no row for them. An accusing label is UNKNOWN, like other
 * words that could mean harm. All other labels name a kind of contract, which says nothing about harm.
 */
function accusations({
  classification,
  address_type,
  verify_status,
}: EvidenceOf<"classification">): readonly Finding[] {
  const labels = Object.entries({ classification, address_type, verify_status });
  return labels.flatMap(([name, label]) =>
    isAccusing(label)
      ? [{ finding: "accusing_label", severity: "UNKNOWN" as const, detail: `${name} is ${quoted(label)}` }]
      : [],
  );
}
