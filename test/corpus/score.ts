import { readSignatures } from "../../src/adapters/evmole/read-signatures.ts";
import { analyseCode } from "../../src/service/bytecode/analyse-code.ts";
import { type FindingName, findingNames } from "../../src/service/bytecode/finding.ts";
import { readCorpus } from "./corpus.ts";
import { expected } from "./expected.ts";

/** How often a finding was said, by whether the source says so, too. */
export interface Score {
  readonly name: FindingName;
  right: number;
  /** Said of contracts that do not have it. */
  extra: number;
  /** Not said, or unknown, of contracts that have it. */
  missed: number;
  /** Unknown, whatever the source says. */
  unknown: number;
}

/** Where analysis and source disagree. */
export interface Disagreement {
  readonly contract: string;
  readonly build: string;
  readonly name: FindingName;
  readonly said: boolean | "unknown";
}

/** Analyses every artifact and compares with what was expected. */
export function scoreCorpus(): { readonly scores: readonly Score[]; readonly disagreements: readonly Disagreement[] } {
  const scores = findingNames.map((name): Score => ({ name, right: 0, extra: 0, missed: 0, unknown: 0 }));
  const disagreements: Disagreement[] = [];
  for (const { contract, build, code } of readCorpus()) {
    const { findings } = analyseCode(code, readSignatures, () => true);
    for (const score of scores) {
      const said = findings[score.name].value;
      const has = (expected[contract] ?? []).includes(score.name);
      if (said === "unknown") score.unknown++;
      if (has && said === true) score.right++;
      else if (has) score.missed++;
      else if (said === true) score.extra++;
      if (said !== "unknown" && said !== has) disagreements.push({ contract, build, name: score.name, said });
    }
  }
  return { scores, disagreements };
}
