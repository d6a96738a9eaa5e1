import type { UnservedCheck } from "../../worker/estimate/unserved-checks.ts";

/** What the service of a run cannot answer, and what to set. */
export function unservedLines(rows: readonly UnservedCheck[]): readonly string[] {
  return rows.map(
    ({ check, chain, events: count }) =>
      `${count === 1 ? "1 event takes" : `${count} events take`} the check ${check} on ${chain.name}, which the service of the run cannot answer: ${remedyFor({ check, chain })}; without it the verdicts are UNKNOWN, or stricter`,
  );
}

function remedyFor({ check, chain }: Pick<UnservedCheck, "check" | "chain">): string {
  if (check === "solana-simulation") return "set SOLANA_RPC_URL or SOLANA_SNAPSHOT";
  if (chain.family === "evm") return `set EVM_RPC_URLS='{"${chain.id}":"https://..."}'`;
  return "name a service that has the check by SERVICE_URL";
}
