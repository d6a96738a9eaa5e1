import type { EvidenceOf, OwnPartiesEvidence } from "../../../messages/evidence.ts";

type Evidence = EvidenceOf<"tron-security">;

/**
 * Adds the user's own addresses of a transaction to a service's answer about it. A decision is made again from the
 * evidence alone, so they are stored there. A field of this name that a service sends is dropped.
 */
export function withOwnParties(evidence: Evidence, own: OwnPartiesEvidence | undefined): Evidence {
  const { own_parties: sent, ...told } = evidence;
  if (own !== undefined) return { ...told, own_parties: own };
  return sent === undefined ? evidence : told;
}
