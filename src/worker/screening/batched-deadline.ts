import type { PoisoningEvidence } from "../../messages/evidence.ts";
import type { Outcome, OutcomeListener } from "../answers/outcome.ts";
import type { DeadlineWatch, Due } from "./deadline-watch.ts";

/** A listener that waits until a deadline. Its methods must not throw. */
interface Patient {
  /** @param deadlineAt The deadline, milliseconds of `ticks`. */
  answeredBefore(deadlineAt: number, outcome: Outcome<PoisoningEvidence>): void;
  failed(reason: unknown): void;
  overdue(): void;
  /** As in `Due`. */
  waitsUntil?(): number;
}

/**
 * Stands in for a listener with a deadline, because the answer may take hours. At the deadline the listener is released
 * and its question is withdrawn. A request in flight goes on, and its answer serves the next event with the question.
 */
export class BatchedDeadline implements OutcomeListener<PoisoningEvidence>, Due {
  readonly #deadlines: DeadlineWatch;
  #patient: Patient | undefined;
  /** Called when the listener is overdue. */
  withdraw: (() => void) | undefined;

  /** @param at The deadline, milliseconds of `ticks`. */
  constructor(patient: Patient, deadlines: DeadlineWatch, at: number) {
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
