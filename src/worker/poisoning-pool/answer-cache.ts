import type { PoisoningEvidence } from "../../events/evidence.ts";
import type { Lane } from "../../events/lane.ts";
import type { Trace } from "../pace/outcome.ts";
import type { Part } from "./part.ts";
import { isFlagged } from "./read-answer.ts";

interface Kept {
  readonly evidence: PoisoningEvidence;
  readonly askedAt: number;
  readonly answeredAt: number;
  readonly bytes: number;
}

/** How long an answer is good, milliseconds. Source: design, "Coalescing and cache". */
const MAX_AGE = { clean: 60_000, flagged: 3_600_000, backfill: 86_400_000 } as const;
/** About what an entry takes beside its texts, bytes, and what a character of its texts takes. */
const ENTRY_BYTES = 400;
const CHARACTER_BYTES = 2;

/** Answers by question: chain, target, token and users together. Bounded by bytes, the oldest go first. */
export class AnswerCache {
  readonly #kept = new Map<string, Kept>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @param now Unix milliseconds. */
  find({ key }: Part, lane: Lane, now: number): { evidence: PoisoningEvidence; trace: Trace } | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    const maxAge = lane === "backfill" ? MAX_AGE.backfill : isFlagged(kept.evidence) ? MAX_AGE.flagged : MAX_AGE.clean;
    const age = now - kept.answeredAt;
    // A clock that was set back must not make an answer good for longer.
    if (age >= maxAge || age < 0) return undefined;
    const { evidence, askedAt, answeredAt } = kept;
    return { evidence, trace: { requests: 0, askedAt, answeredAt, cached: true } };
  }

  keep({ key }: Part, evidence: PoisoningEvidence, { askedAt, answeredAt }: Trace): void {
    if (askedAt === undefined || answeredAt === undefined) return;
    this.#drop(key);
    // A service may add fields of any length to its answers.
    const bytes = ENTRY_BYTES + CHARACTER_BYTES * (key.length + JSON.stringify(evidence).length);
    this.#kept.set(key, { evidence, askedAt, answeredAt, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}
