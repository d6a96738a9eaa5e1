import type { PoisoningEvidence } from "../../messages/evidence.ts";
import type { Outcome, OutcomeListener } from "../answers/outcome.ts";
import type { Deadlines, Due } from "./deadlines.ts";

/** What waits until a time, and no longer. None of these may throw. */
interface Patient {
  /** @param deadlineAt until when it would have waited, milliseconds of `ticks`. */
  answeredBefore(deadlineAt: number, outcome: Outcome<PoisoningEvidence>): void;
  failed(reason: unknown): void;
  overdue(): void;
  /** As in `Due`. */
  waitsUntil?(): number;
}

/**
 * Stands for one that waits no longer than its deadline, where the answer may take hours: what it holds is let go of then,
 * and its question withdrawn. What is on its way goes on, and whoever asks the same next has the answer.
 */
export class UntilOverdue implements OutcomeListener<PoisoningEvidence>, Due {
  readonly #deadlines: Deadlines;
  #patient: Patient | undefined;
  /** Told when it is overdue. */
  withdraw: (() => void) | undefined;

  /** @param at its deadline, milliseconds of `ticks`. */
  constructor(patient: Patient, deadlines: Deadlines, at: number) {
    this.#patient = patient;
    this.#deadlines = deadlines;
    deadlines.add(this, at);
  }

  answered(outcome: Outcome<PoisoningEvidence>): void {
    const deadlineAt = this.#deadlines.remove(this);
    if (deadlineAt !== undefined) this.#patient?.answeredBefore(deadlineAt, outcome);
  }

  failed(reason: unknown): void {
    if (this.#deadlines.remove(this) !== undefined) this.#patient?.failed(reason);
  }

  waitsUntil(): number {
    return this.#patient?.waitsUntil?.() ?? Number.NEGATIVE_INFINITY;
  }

  overdue(): void {
    const patient = this.#patient;
    this.#patient = undefined;
    this.withdraw?.();
    patient?.overdue();
  }
}
