import { readSignatures } from "../../src/adapters/evmole/read-signatures.ts";
import { analyseCode, type Capabilities, limits } from "../../src/evm-analysis/analyse-code.ts";
import { type FindingName, findingNames } from "../../src/evm-analysis/findings/finding.ts";
import { readCorpus } from "./corpus.ts";
import { expected } from "./expected.ts";

/** The counts of a finding, by the analysis and by the source. */
export interface Score {
  readonly name: FindingName;
  right: number;
  /** Reported for contracts that do not have it. */
  extra: number;
  /** Absent or unknown for contracts that have it. */
  missed: number;
  /** Unknown, whatever the source says. */
  unknown: number;
}

/** A disagreement between analysis and source. */
export interface Disagreement {
  readonly contract: string;
  readonly build: string;
  readonly name: FindingName;
  readonly said: boolean | "unknown";
}

/** The counts of a capability, by the analysis and by the expected findings. */
export interface CapabilityScore {
  readonly name: keyof Capabilities;
  right: number;
  extra: number;
  missed: number;
}

/** Unknown counts as absent. The result is 1 when no contract has the capability and none was reported. */
export const f1 = ({ right, extra, missed }: Omit<CapabilityScore, "name">) =>
  right + extra + missed === 0 ? 1 : (2 * right) / (2 * right + extra + missed);

/** The mean over capabilities, so that a rare capability counts as much as a common one. */
export const macroF1 = (scores: readonly CapabilityScore[]) =>
  scores.reduce((sum, score) => sum + f1(score), 0) / scores.length;

/**
 * Contracts with limits that keep no holder from selling: a fixed wait of one block, and a largest transfer that spares
 * sales.
 */
const sellable: ReadonlySet<string> = new Set(["GivesAway", "NotTowardsPair"]);

/** The capabilities that follow from the expected findings of a contract. */
function capable(contract: string): Readonly<Record<keyof Capabilities, boolean>> {
  const own = expected[contract] ?? [];
  return {
    mint: own.includes("unlimited_mint"),
    limit: !sellable.has(contract) && own.some((name) => limits.includes(name)),
    leak: own.includes("moves_others_tokens"),
  };
}

function count(score: { right: number; extra: number; missed: number }, has: boolean, said: boolean | "unknown"): void {
  if (has && said === true) score.right++;
  else if (has) score.missed++;
  else if (said === true) score.extra++;
}

/** Analyses every artifact and compares the result with the expectation. */
export function scoreCorpus(): {
  readonly scores: readonly Score[];
  readonly capabilities: readonly CapabilityScore[];
  readonly disagreements: readonly Disagreement[];
} {
  const scores = findingNames.map((name): Score => ({ name, right: 0, extra: 0, missed: 0, unknown: 0 }));
  const capabilities = (["mint", "limit", "leak"] as const).map(
    (name): CapabilityScore => ({ name, right: 0, extra: 0, missed: 0 }),
  );
  const disagreements: Disagreement[] = [];
  for (const { contract, build, code } of readCorpus()) {
    const { findings, capabilities: can } = analyseCode(code, readSignatures, () => true);
    for (const score of capabilities) count(score, capable(contract)[score.name], can[score.name]);
    for (const score of scores) {
      const said = findings[score.name].value;
      const has = (expected[contract] ?? []).includes(score.name);
      if (said === "unknown") score.unknown++;
      count(score, has, said);
      if (said !== "unknown" && said !== has) disagreements.push({ contract, build, name: score.name, said });
    }
  }
  return { scores, capabilities, disagreements };
}
