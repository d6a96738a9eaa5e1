import { canaryPairs } from "../../src/worker/batching/calibration/canary-pairs.generated.ts";
import type { Scenario } from "./scenario.ts";
import { didSing, type LoggedRequest, wasSilent } from "./service-log.ts";
import { type Item, isRaised, itemKey } from "./truth.ts";

/**
 * Requests of a calibration that nothing disturbs: one for each pair that is too weak, then three pairs with their users
 * and with nobody.
 */
const TRIAL = { evm: 8, solana: 9 } as const;
/** Whoever stands in realtime waits no longer for a calibration, milliseconds. */
const REALTIME_MS = 1_000;

type Format = keyof typeof TRIAL;

/** What a process did about one address format. */
interface OfFormat {
  readonly trial: number;
  /** When the first of it was read. */
  readonly since: number;
  /** Requests about canaries by themselves: all of them, and those that came to nothing. */
  trials: number;
  failedTrials: number;
  refusedTrials: number;
  /** Requests without strangers that nothing in the log is a reason for. */
  few: number;
}

/** Whom an event is about. */
interface Subject {
  readonly line: number;
  readonly of: OfFormat;
  /** In realtime, once: he goes alone when he has waited. */
  mayHurry: boolean;
  /** Requests without strangers that the log gives a reason for, and that were not made yet. */
  reasons: number;
  /** How often he was in a request of strangers that failed. */
  failures: number;
}

/**
 * No more is asked than it takes, in a crowd, by a model that knows nothing of queues: a calibration a format, a request of
 * strangers for each that arrive together, one without strangers for whom it is needed (he was flagged, he failed, the
 * canaries did not answer, he could not wait), and for few of a format as long as that is cheaper. A request that was
 * refused for the quota is made once more, and nobody pays for it but itself.
 */
export class FewRequests {
  readonly #scenario: Scenario;
  #formats = new Map<Format, OfFormat>();
  #subjects = new Map<string, Subject>();
  #pooled = 0;
  #mayPool = 0;
  /** Not where others than a crowd ask, nor once nothing is pooled any more or for a while: then everybody goes alone. */
  #isHeld = false;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  /** A process begins, and knows nothing. */
  begin(): void {
    this.#formats = new Map();
    this.#subjects = new Map();
    this.#pooled = 0;
    // One for each lane and wave; and for each format, once it is calibrated.
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

  /** Pooling rests. */
  rests(): void {
    this.#isHeld = false;
  }

  /** @returns what is one request too many. */
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
    // As the worker read it, if not as it was sent.
    if (wasSilent(request)) this.#isHeld = false;
    const subjects = this.#subjectsOf(request);
    if (request.canaries.size === 0) {
      if (!isAnswered) for (const subject of subjects) subject.reasons++;
      return;
    }
    if (isRefused) this.#mayPool++;
    else if (isAnswered) this.#answered(request);
    else {
      // Each has another try after a wait of his own, with strangers first.
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
    // Up to a calibration and one request more; twice as many after each that failed; and the last of a wave by himself.
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
