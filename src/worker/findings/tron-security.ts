import { actionFindings } from "./recommended-action.ts";
import { ruleFor } from "./rule.ts";

/** What the service recommends about a TRON transaction. */
export const tronSecurityRule = ruleFor("tron-security", ({ security }, { table }) =>
  actionFindings(security, table.findings["tron-security"]),
);
