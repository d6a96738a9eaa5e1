import type { SimulationResult, SolanaTransaction } from "../../../api/schemas/solana-emulate.ts";
import type { Instruction } from "../../../chains/solana/acts/act.ts";
import { instructionsOf } from "../../../chains/solana/message/instructions-of.ts";
import type { Message } from "../../../chains/solana/message/message.ts";
import { durableNonce } from "../../../chains/solana/rules/durable-nonce.ts";
import { highFee, priorityFee } from "../../../chains/solana/rules/priority-fee.ts";
import type { TokenChanges } from "../../../chains/solana/rules/token-changes.ts";
import { readMessage } from "../../plan/reading/solana-reading.ts";
import { answerGaps } from "./answer-gaps.ts";
import { type ByBalances, judgeBalances } from "./by-balances.ts";
import { type StatedRecipient, statedRecipients } from "./explain/stated-recipients.ts";
import { ownAccounts } from "./own-accounts.ts";
import type { OwnFinding } from "./own-finding.ts";
import { movesAnything, type PlainTransfers, readPlainTransfers } from "./plain-transfers.ts";
import { reportedBalances, summedBalances } from "./reported-balances.ts";
import { statedRights } from "./stated-rights.ts";
import { type Fees, solMissing } from "./stated-sol.ts";
import { tokensMissing } from "./stated-tokens.ts";

/** One transaction, with the judgement on its result. */
export interface JudgedSimulation extends ByBalances {
  readonly signers: readonly string[];
  readonly changes: readonly TokenChanges[];
  readonly plain: PlainTransfers;
  readonly kept: ReadonlySet<string>;
  /** The durable nonce that the transaction advances. */
  readonly nonce: string | undefined;
  /** Whether the result has balances that can be read. */
  readonly isTold: boolean;
  /** The accounts that the instructions pay. Undefined if the instructions do not state all of them. */
  readonly recipients: readonly StatedRecipient[] | undefined;
}

/** Each transaction that can be read and has a result. */
export function judgeEach(
  transactions: readonly SolanaTransaction[],
  results: readonly SimulationResult[],
): readonly JudgedSimulation[] {
  return transactions.flatMap((transaction, i): readonly JudgedSimulation[] => {
    const message = readMessage(transaction);
    const result = results[i];
    return message.ok && result !== undefined ? [judgeOne(message.value, result)] : [];
  });
}

function judgeOne(message: Message, result: SimulationResult): JudgedSimulation {
  const instructions = instructionsOf(message);
  const signers = message.staticKeys.slice(0, message.signers);
  const plain = readPlainTransfers(instructions);
  const reported = reportedBalances(result);
  const changes = reported ?? [];
  const kept = ownAccounts(instructions, signers, result.called_addresses ?? [], changes);
  const judged = judgeBalances({ signers: new Set(signers), changes, plain: [plain], kept });
  return {
    signers,
    changes,
    plain,
    kept,
    nonce: durableNonce(instructions)?.account,
    isTold: reported !== undefined && typeof result.error !== "string",
    recipients: statedRecipients(instructions),
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
export function judgeAsOne(judged: readonly JudgedSimulation[]): JudgedSimulation {
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
    nonce: undefined,
    isTold: judged.every((each) => each.isTold),
    recipients: judged.every((each) => each.recipients !== undefined)
      ? judged.flatMap(({ recipients = [] }) => recipients)
      : undefined,
    ...judgeBalances({ signers: new Set(signers), changes, plain, kept }),
  };
}
