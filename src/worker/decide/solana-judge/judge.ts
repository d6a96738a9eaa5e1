import { ALL_SIMULATED, type SimulationResult, type SolanaTransaction } from "../../../api/schemas/solana-emulate.ts";
import type { EvidenceOf } from "../../../messages/evidence.ts";
import { besideService } from "./beside-service.ts";
import { type ExplainedEvent, type Explanation, explanationsOf } from "./explain/explanations.ts";
import { type JudgedSimulation, judgeAsOne, judgeEach } from "./judged-simulation.ts";
import type { OwnFinding } from "./own-finding.ts";
import { brokenSequence, summedBalances } from "./reported-balances.ts";
import { rentsMissing } from "./stated-sol.ts";
import { unknownAccounts } from "./unknown-accounts.ts";

type Evidence = EvidenceOf<"solana-simulation">;

const BROKEN = "sequence_not_followed";
/** Limit of reasons that one finding repeats. */
const MOST_REASONS = 8;

/**
 * Adds the worker's own findings to the evidence of a simulation, where the service does not report them. Adds why
 * findings are ordinary for the event, as the service does not know the user's own addresses. A decision is made again
 * from the evidence alone, so both are stored there. What a service sends under these names is dropped.
 *
 * @param named The user's own addresses, as the event names them.
 */
export function withOwnFindings(
  transactions: readonly SolanaTransaction[],
  evidence: Evidence,
  named: readonly string[],
): Evidence {
  const { worker_findings: sent, worker_explanations: sentToo, ...told } = evidence;
  const judged = judgeEach(transactions, told.results);
  const own = distinct(besideService(findingsOf(transactions, told, judged, named), told.results));
  const said = distinct([...told.results.flatMap(({ findings = [] }) => findings.map(asOwn)), ...own]);
  const explained = explanationsOf(said, knownOf(judged, transactions.length, own, named)).map(asEntry);
  const isWhole = told.results.every(({ findings }) => findings !== undefined);
  const isSame = own.length === 0 && isWhole && explained.length === 0;
  if (isSame && sent === undefined && sentToo === undefined) return evidence;
  return {
    ...told,
    ...(own.length > 0 || !isWhole ? { worker_findings: own } : {}),
    ...(explained.length > 0 ? { worker_explanations: explained } : {}),
  };
}

function asOwn({ name, description, account, gains }: NonNullable<SimulationResult["findings"]>[number]): OwnFinding {
  return {
    name,
    description,
    ...(account === undefined ? {} : { account }),
    ...(gains === undefined ? {} : { gains }),
  };
}

function asEntry(explanation: Explanation): { -readonly [K in keyof Explanation]: Explanation[K] } {
  return { ...explanation };
}

/**
 * What the explanations may rest on. Where a sequence does not go on, its balances as a whole may be wrong. They count
 * only beside the finding that says so.
 */
function knownOf(
  judged: readonly JudgedSimulation[],
  count: number,
  own: readonly OwnFinding[],
  named: readonly string[],
): ExplainedEvent {
  const isTold = judged.length === count && judged.every((each) => each.isTold);
  const isBroken = brokenSequence(judged.map(({ changes }) => changes)) !== undefined;
  const isOne = !isBroken || own.some(({ name }) => name === BROKEN);
  const views = judged.map(({ changes, plain: { made }, recipients }) => ({ changes, made, recipients }));
  const { changes, recipients } = judgeAsOne(judged);
  const whole = { changes, made: views.flatMap(({ made }) => made), recipients };
  return {
    named: new Set(named),
    signers: new Set(judged.flatMap(({ signers }) => signers)),
    nonces: judged.flatMap(({ nonce }) => nonce ?? []),
    views: isTold && isOne ? [...views, whole] : undefined,
  };
}

function findingsOf(
  transactions: readonly SolanaTransaction[],
  { exec_summary, results }: Evidence,
  judged: readonly JudgedSimulation[],
  named: readonly string[],
) {
  const isFailed = exec_summary.result_code !== ALL_SIMULATED || exec_summary.error_data !== null;
  const open: string[] = isFailed ? ["the simulation failed"] : [];
  if (judged.length < transactions.length) open.push("a transaction has no result");
  if (results.length > transactions.length) open.push("a result is about no transaction");
  const all = judged.length > 1 ? [...judged, judgeAsOne(judged)] : judged;
  open.push(...all.flatMap((each) => each.open), ...rentsMissing(judged));
  const sum = summedBalances(judged.map(({ changes }) => changes));
  return [
    ...all.flatMap(({ findings }) => findings),
    ...unknownAccounts(judged, results, sum, named),
    ...notFollowed(judged),
    ...notShown(open),
  ];
}

function notFollowed(judged: readonly JudgedSimulation[]): readonly OwnFinding[] {
  const account = brokenSequence(judged.map(({ changes }) => changes));
  if (account === undefined) return [];
  const description = `a later transaction does not begin with what an earlier one left ${account}: the service simulated each on its own`;
  return [{ name: BROKEN, account, description }];
}

function notShown(open: readonly string[]): readonly OwnFinding[] {
  const reasons = [...new Set(open)];
  if (reasons.length === 0) return [];
  const more = reasons.length > MOST_REASONS ? `; and ${reasons.length - MOST_REASONS} more` : "";
  const said = `${reasons.slice(0, MOST_REASONS).join("; ")}${more}`;
  const description = `${said}: the service gives no findings that say what this does beside its balances`;
  return [{ name: "rights_not_shown", description }];
}

function distinct(findings: readonly OwnFinding[]): { -readonly [K in keyof OwnFinding]: OwnFinding[K] }[] {
  const found = new Map<string, OwnFinding>();
  for (const finding of findings) {
    const key = `${finding.name} ${finding.account} ${finding.gains}`;
    if (!found.has(key)) found.set(key, finding);
  }
  return [...found.values()].map((finding) => ({ ...finding }));
}
