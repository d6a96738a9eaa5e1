import { canaryPairs } from "../../src/worker/batching/calibration/canary-pairs.generated.ts";
import type { Scenario } from "./scenario.ts";
import { didSing, type LoggedRequest, wasSilent } from "./service-log.ts";
import { type Item, isRaised, itemKey } from "./truth.ts";

/**
 * Requests of an undisturbed calibration: one for each pair that is too weak, then three pairs with their users and
 * without users.
 */
const TRIAL = { evm: 8, solana: 9 } as const;
/** A realtime event waits this long for a calibration at most, milliseconds. */
const REALTIME_MS = 1_000;

type Format = keyof typeof TRIAL;

/** The requests of a process about one address format. */
interface OfFormat {
  readonly trial: number;
  /** The time of reading the first event of the format. */
  readonly since: number;
  /** Requests about canaries alone: all of them, and the unsuccessful ones. */
  trials: number;
  failedTrials: number;
  refusedTrials: number;
  /** Requests for a single event for which the log gives no reason. */
  few: number;
}

/** The target of an event. */
interface Subject {
  readonly line: number;
  readonly of: OfFormat;
  /** Set for a realtime event until its first early request: after its wait it may go alone once. */
  mayHurry: boolean;
  /** Requests for this event alone that the log justifies and that were not sent yet. */
  reasons: number;
  /** Number of failed batch requests with this event. */
  failures: number;
}

/**
 * Checks in a crowd that no request is superfluous, by a model without queues. Each format gets one calibration. Events
 * that arrive together share one batch request.
 * An event goes alone when it was flagged, when its request failed, or when the canaries failed. It also goes alone
 * when it could not wait. Few events of a format may go alone as long as that is cheaper. A request that the quota
 * refused is repeated once, and no other request pays for it.
 */
export class FewRequests {
  readonly #scenario: Scenario;
  #formats = new Map<Format, OfFormat>();
  #subjects = new Map<string, Subject>();
  #pooled = 0;
  #mayPool = 0;
  /** Off where the scenario is no crowd, and after batching has stopped or pauses. Then every event goes alone. */
  #isHeld = false;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  /** A process begins without knowledge. */
  begin(): void {
    this.#formats = new Map();
    this.#subjects = new Map();
    this.#pooled = 0;
    // One request for each lane and wave, and one for each format once it is calibrated.
    this.#mayPool = 2 * (this.#scenario.gaps.size + 2);
    this.#isHeld = this.#scenario.isCrowd;
  }

  read(line: number, now: number): void {
    const { expected, records } = this.#scenario;
    const [target, event] = [expected[line - 1]?.target, records[line - 1]?.event];
    if (!this.#isHeld || target === undefined || event?.ok !== true) return;
    const format = formatOf(target);
    const of = this.#formats.get(format) ?? newAt(format, now);
    this.#formats.set(format, of);
    const mayHurry = event.value.lane === "realtime";
    this.#subjects.set(itemKey(target), { line, of, mayHurry, reasons: 0, failures: 0 });
  }

  /** Batching pauses. */
  rests(): void {
    this.#isHeld = false;
  }

  /** @returns the fault of a request that is one too many. */
  sent(request: LoggedRequest, now: number): readonly string[] {
    if (!this.#isHeld) return [];
    const trial = this.#trialOf(request);
    if (trial !== undefined) {
      const { failedTrials, refusedTrials } = trial;
      const most = trial.trial * (1 + failedTrials) + failedTrials + refusedTrials;
      return trial.trials++ < most ? [] : [`calibrates with more than ${most} requests`];
    }
    if (request.canaries.size > 0)
      return this.#pooled++ < this.#mayPool ? [] : [`is one more of strangers than ${this.#mayPool}`];
    return this.#subjectsOf(request).flatMap((subject) => this.#alone(subject, now));
  }

  ended(request: LoggedRequest, status: number): void {
    if (!this.#isHeld) return;
    const trial = this.#trialOf(request);
    const isAnswered = status === 200 && request.answer?.isTrue === true;
    const isRefused = status === 429;
    if (trial !== undefined) {
      if (isRefused) trial.refusedTrials++;
      else if (!isAnswered) trial.failedTrials++;
      return;
    }
    // The worker's reading of the answer counts, even when the service sent another one.
    if (wasSilent(request)) this.#isHeld = false;
    const subjects = this.#subjectsOf(request);
    if (request.canaries.size === 0) {
      if (!isAnswered) for (const subject of subjects) subject.reasons++;
      return;
    }
    if (isRefused) this.#mayPool++;
    else if (isAnswered) this.#answered(request);
    else {
      // Each event gets another attempt after a wait of its own, in a batch first.
      this.#mayPool += subjects.length;
      for (const subject of subjects) if (++subject.failures > 1) subject.reasons++;
    }
  }

  #answered(request: LoggedRequest): void {
    for (const item of request.answer?.targets ?? []) {
      const subject = this.#subjects.get(itemKey(item));
      const isConfirmed = item.flags !== undefined && isRaised(item.flags);
      if (subject !== undefined && (isConfirmed || !didSing(request, item.chain_id))) subject.reasons++;
    }
  }

  #alone(subject: Subject, now: number): readonly string[] {
    const { of, line, mayHurry } = subject;
    if (subject.reasons > 0) {
      subject.reasons--;
      return [];
    }
    if (mayHurry && now - of.since >= REALTIME_MS) {
      subject.mayHurry = false;
      return [];
    }
    // Up to a calibration and one request more. The limit doubles after each failed calibration, and the last event of
    // a wave may go alone.
    const most = (of.trial + 2) * 2 ** of.failedTrials - 1 + this.#scenario.gaps.size;
    return of.few++ < most ? [] : [`asks about line ${line} alone, without a reason`];
  }

  #trialOf({ route, asked }: LoggedRequest): OfFormat | undefined {
    const [first] = asked;
    if (route !== "poisoningSingle" || first === undefined || !canaries.has(first.address)) return undefined;
    return this.#formats.get(formatOf(first));
  }

  #subjectsOf({ asked }: LoggedRequest): readonly Subject[] {
    return asked.flatMap((item) => this.#subjects.get(itemKey(item)) ?? []);
  }
}

function newAt(format: Format, now: number): OfFormat {
  return { trial: TRIAL[format], since: now, trials: 0, failedTrials: 0, refusedTrials: 0, few: 0 };
}

const canaries = new Set<string>(canaryPairs.map(({ target }) => target));

function formatOf({ chain_id }: Item): Format {
  return chain_id === "solana" ? "solana" : "evm";
}
