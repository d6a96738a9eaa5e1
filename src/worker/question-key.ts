import type { PoisoningQuestion, Question } from "./plan.ts";

type Shared = PoisoningQuestion | Extract<Question, { check: "token-security" | "classification" }>;

/** One text for one question about an address or a token, whoever asks it; undefined for a simulation, which is nobody else's. */
export function questionKey(question: Shared): string;
export function questionKey(question: Question): string | undefined;
export function questionKey(question: Question): string | undefined {
  switch (question.check) {
    case "poisoning":
      return "target" in question ? `poisoning|${question.chain.id}|${question.target}` : undefined;
    case "token-security":
      return `token|${question.chain.id}|${question.token}`;
    case "classification":
      return `class|${question.chain.id}|${question.address}`;
    case "solana-simulation":
    case "tron-security":
      return undefined;
  }
}
