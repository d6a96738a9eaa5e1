import { ALL_SIMULATED, type SimulationResult, type SolanaTransaction } from "../../../api/schemas/solana-emulate.ts";
import type { Instruction } from "../../../chains/solana/acts/act.ts";
import { instructionsOf } from "../../../chains/solana/message/instructions-of.ts";
import type { Message } from "../../../chains/solana/message/message.ts";
import { durableNonce } from "../../../chains/solana/rules/durable-nonce.ts";
import { highFee, priorityFee } from "../../../chains/solana/rules/priority-fee.ts";
import type { TokenChanges } from "../../../chains/solana/rules/token-changes.ts";
import type { EvidenceOf } from "../../../messages/evidence.ts";
import { readMessage } from "../../plan/reading/solana-reading.ts";
import { answerGaps } from "./answer-gaps.ts";
import { besideService } from "./beside-service.ts";
import { type ByBalances, judgeBalances } from "./by-balances.ts";
import { ownAccounts } from "./own-accounts.ts";
import type { OwnFinding } from "./own-finding.ts";
import { movesAnything, type PlainTransfers, readPlainTransfers } from "./plain-transfers.ts";
import { brokenSequence, reportedBalances, summedBalances } from "./reported-balances.ts";
import { statedRights } from "./stated-rights.ts";
import { type Fees, rentsMissing, solMissing } from "./stated-sol.ts";
import { tokensMissing } from "./stated-tokens.ts";
import { unknownAccounts } from "./unknown-accounts.ts";

type Evidence = EvidenceOf<"solana-simulation">;

/** One transaction, with the judgement on its result. */
interface Judged extends ByBalances {
  readonly signers: readonly string[];
  readonly changes: readonly TokenChanges[];
  readonly plain: PlainTransfers;
  readonly kept: ReadonlySet<string>;
}

/** Limit of reasons that one finding repeats. */
const MOST_REASONS = 8;

/**
 * Adds the worker's own findings to the evidence of a simulation, where the service does not report them. A decision is
 * made again from the evidence alone, so the findings are stored there. Findings that a service sends under this name
 * are dropped.
 */
export function withOwnFindings(transactions: readonly SolanaTransaction[], evidence: Evidence): Evidence {
  const { worker_findings: sent, ...told } = evidence;
  const own = distinct(besideService(findingsOf(transactions, told), told.results));
  const isWhole = told.results.every(({ findings }) => findings !== undefined);
  if (own.length > 0 || !isWhole) return { ...told, worker_findings: own };
  return sent === undefined ? evidence : told;
}

function findingsOf(transactions: readonly SolanaTransaction[], { exec_summary, results }: Evidence) {
  const isFailed = exec_summary.result_code !== ALL_SIMULATED || exec_summary.error_data !== null;
  const judged: Judged[] = [];
  const open: string[] = isFailed ? ["the simulation failed"] : [];
  for (const [i, transaction] of transactions.entries()) {
    const message = readMessage(transaction);
    const result = results[i];
    if (message.ok && result !== undefined) judged.push(judgeOne(message.value, result));
    else open.push("a transaction has no result");
  }
  if (results.length > transactions.length) open.push("a result is about no transaction");
  const all = judged.length > 1 ? [...judged, asOne(judged)] : judged;
  open.push(...all.flatMap((each) => each.open), ...rentsMissing(judged));
  const sum = summedBalances(judged.map(({ changes }) => changes));
  return [
    ...all.flatMap(({ findings }) => findings),
    ...unknownAccounts(judged, results, sum),
    ...notFollowed(judged),
    ...notShown(open),
  ];
}

function judgeOne(message: Message, result: SimulationResult): Judged {
  const instructions = instructionsOf(message);
  const signers = message.staticKeys.slice(0, message.signers);
  const plain = readPlainTransfers(instructions);
  const changes = reportedBalances(result) ?? [];
  const kept = ownAccounts(instructions, signers, result.called_addresses ?? [], changes);
  const judged = judgeBalances({ signers: new Set(signers), changes, plain: [plain], kept });
  return {
    signers,
    changes,
    plain,
    kept,
    findings: [...stated(instructions, signers), ...judged.findings],
    open: [...untold(message, plain, result), ...judged.open],
  };
}

/** Findings from the instructions alone, whatever the balances show. */
function stated(instructions: readonly Instruction[], signers: readonly string[]): readonly OwnFinding[] {
  const [feePayer = ""] = signers;
  const nonce = durableNonce(instructions);
  const fee = highFee(instructions);
  return [
    ...statedRights(instructions, signers),
    ...(nonce === undefined ? [] : [{ name: "durable_nonce", ...nonce }]),
    ...(fee === undefined ? [] : [{ name: "fee_high", account: feePayer, description: fee }]),
  ];
}

/** What neither the instructions nor the answer show, in words. */
function untold(message: Message, plain: PlainTransfers, result: SimulationResult): readonly string[] {
  const said = [...plain.unshown];
  if (message.lookups.length > 0) said.push("it names accounts in a lookup table");
  const isExplained = said.length === 0;
  if (typeof result.error === "string") said.push("the simulation failed");
  else said.push(...unanswered(message, plain, result, isExplained));
  const called = result.called_addresses ?? [];
  for (const program of called) if (!plain.programs.has(program)) said.push(`the program ${program} runs inside it`);
  return said;
}

/**
 * What the answer to a successful simulation leaves open.
 *
 * @param isExplained Whether the instructions state everything that moves.
 */
function unanswered(message: Message, plain: PlainTransfers, result: SimulationResult, isExplained: boolean) {
  const said = [...answerGaps({ feePayer: feePayerOf(message), plain }, result)];
  const changes = reportedBalances(result);
  if (changes === undefined) said.push("the answer tells no balances that read");
  else if (movesAnything(plain) && result.balance_changes?.length === 0) said.push("no balance shows what moves");
  else if (isExplained) said.push(...solMissing(plain, feesOf(message), changes), ...tokensMissing(plain, changes));
  return said;
}

function feePayerOf({ staticKeys }: Message): string {
  return staticKeys[0] ?? "";
}

/** Lamports per signature. Source: Solana, DEFAULT_TARGET_LAMPORTS_PER_SIGNATURE. */
const SIGNATURE_FEE = 5_000n;

function feesOf(message: Message): Fees {
  const least = SIGNATURE_FEE * BigInt(message.signers);
  return { payer: feePayerOf(message), least, most: least + priorityFee(instructionsOf(message)) };
}

/** A drain may be split into transactions that are each harmless. So a sequence is also judged as a whole. */
function asOne(judged: readonly Judged[]): Judged {
  const signers = [...new Set(judged.flatMap((each) => each.signers))];
  const changes = summedBalances(judged.map((each) => each.changes));
  const plain = judged.map((each) => each.plain);
  const [first = readPlainTransfers([])] = plain;
  const kept = new Set(judged.flatMap((each) => [...each.kept]));
  return {
    signers,
    changes,
    plain: first,
    kept,
    ...judgeBalances({ signers: new Set(signers), changes, plain, kept }),
  };
}

function notFollowed(judged: readonly Judged[]): readonly OwnFinding[] {
  const account = brokenSequence(judged.map(({ changes }) => changes));
  if (account === undefined) return [];
  const description = `a later transaction does not begin with what an earlier one left ${account}: the service simulated each on its own`;
  return [{ name: "sequence_not_followed", account, description }];
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
