import type { SimulationResult } from "../../../api/schemas/solana-emulate.ts";
import type { OwnFinding } from "./own-finding.ts";

/**
 * Findings that only state what the worker cannot see in balances and instructions. A service with findings has also
 * read the accounts, so its findings are better.
 */
const NOT_SEEN: ReadonlySet<string> = new Set([
  "rights_not_shown",
  "sequence_not_followed",
  "account_risk_unknown",
  "account_for_another",
]);

/** Names of service findings that say at least as much about the same account. */
const SAID_BY: Readonly<Record<string, readonly string[]>> = { approval_unlimited: ["approval_unknown_delegate"] };

/** For delegated tokens the worker names the holder, and a service the token account. */
const LENT = "moved_as_delegate";

/** The worker's findings that the service's findings do not cover, each once. Any service may send an empty list. */
export function besideService(own: readonly OwnFinding[], results: readonly SimulationResult[]): readonly OwnFinding[] {
  const said = results.flatMap(({ findings = [] }) => findings);
  const knowsBetter = results.every(({ findings }) => findings !== undefined);
  return own
    .filter(({ name }) => !(knowsBetter && NOT_SEEN.has(name)))
    .filter(({ name, account, gains }) => {
      const names = [name, ...(SAID_BY[name] ?? [])];
      // A service that states another recipient of a right than the instruction does not cover the finding.
      const isSame = (other: string | undefined) => gains === undefined || (other ?? gains) === gains;
      return !said.some(
        (each) => names.includes(each.name) && (name === LENT || (each.account === account && isSame(each.gains))),
      );
    });
}
