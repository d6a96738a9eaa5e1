import type { PoisoningQuestion, Question, TokenQuestion } from "./plan.ts";

type Shared = PoisoningQuestion | TokenQuestion | Extract<Question, { check: "classification" }>;

/** One text for one question about an address or a token, whoever asks it; undefined for a simulation, which is nobody else's, and for what is several questions. */
export function questionKey(question: Shared): string;
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
    case "tron-security":
    case "evm-security":
      return undefined;
  }
}
