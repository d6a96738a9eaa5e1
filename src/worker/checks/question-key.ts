import { sha256Of } from "../../kernel/hash.ts";
import { canonicalJson } from "../../kernel/json.ts";
import type { PoisoningQuestion, Question, TokenQuestion } from "../plan/question.ts";

type Shared = PoisoningQuestion | TokenQuestion | Extract<Question, { check: "classification" }>;

type OneTransaction = Extract<Question, { check: "tron-security" | "evm-security" }>;

/**
 * One text for equal questions of any events. Undefined for a Solana simulation, which is grouped with others, and for
 * several questions at once. A transaction is hashed, because its calldata may have a megabyte.
 */
export function questionKey(question: Shared | OneTransaction): string;
export function questionKey(question: Question): string | undefined;
export function questionKey(question: Question): string | undefined {
  switch (question.check) {
    case "poisoning":
      return "target" in question ? `poisoning|${question.chain.id}|${question.target}` : undefined;
    case "token-security":
      return "token" in question ? `token|${question.chain.id}|${question.token}` : undefined;
    case "classification":
      return `class|${question.chain.id}|${question.address}`;
    case "solana-simulation":
      return undefined;
    case "tron-security":
      return `tron|${sha256Of([canonicalJson(question.transaction), question.dappUrl ?? ""])}`;
    case "evm-security":
      return `evm|${question.chain.id}|${evmHash(question)}`;
  }
}

function evmHash({ transaction, users }: Extract<Question, { check: "evm-security" }>): string {
  const { from, to, value, data, delegates } = transaction;
  return sha256Of([from, to ?? "", String(value), data, delegates.join(), users.join()]);
}
