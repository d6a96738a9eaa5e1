/**
 * Precision and recall of each finding on the contracts of test/corpus, as a table, and F1 of the three capabilities: `npm run quality:tokens`.
 * Exit status 1 when analysis and expectation disagree anywhere.
 */
import { readCorpus } from "../../test/corpus/corpus.ts";
import { f1, macroF1, type Score, scoreCorpus } from "../../test/corpus/score.ts";

const { scores, capabilities, disagreements } = scoreCorpus();
const share = (part: number, whole: number) => (whole === 0 ? "-" : (part / whole).toFixed(3));
const row = ({ name, right, extra, missed, unknown }: Score) =>
  `| \`${name}\` | ${right + missed} | ${share(right, right + extra)} | ${share(right, right + missed)} | ${unknown} |`;

const artifacts = readCorpus();
const contracts = new Set(artifacts.map(({ contract }) => contract)).size;
console.log(`${contracts} contracts, ${artifacts.length} artifacts\n`);
console.log("| finding | artifacts that have it | precision | recall | unknown |");
console.log("| --- | --- | --- | --- | --- |");
for (const score of scores) console.log(row(score));
const each = capabilities.map((score) => `${score.name} ${f1(score).toFixed(3)}`).join(", ");
console.log(`\nF1 of what holders fear: ${each}; macro ${macroF1(capabilities).toFixed(3)}`);
for (const { contract, build, name, said } of disagreements)
  console.log(`${contract} (${build}): ${name} said ${said}`);
process.exitCode = disagreements.length > 0 ? 1 : 0;
