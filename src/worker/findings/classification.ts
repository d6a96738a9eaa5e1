import { quoted } from "./quoted.ts";
import { ruleFor } from "./rule.ts";

/** A missing, empty or Unverified classification is not a safe verdict. Source: service-interface, "Address classification". */
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
  if (label !== "" && label.toLowerCase() !== "unverified") return [];
  const detail = label === "" ? "the service has no classification" : `classification is ${label}`;
  return [{ finding: "unverified", severity: table.findings.classification.unverified, detail }];
});
