import type { AddressFormat } from "../../../chains/address-format.ts";
import type { Family } from "../../../chains/chain.ts";
import type { Log } from "../../../kernel/log.ts";
import { ChainUnsupportedError } from "../../answers/service-errors.ts";
import type { SecurityService } from "../../ports.ts";
import { askWithRetries, type RetryDeps } from "../../rate-limit/gate/ask-with-retries.ts";
import { waiterOf } from "../../rate-limit/queue/waiter.ts";
import { type BatchEntry, formatOfPart } from "../batch-entry.ts";
import {
  batchPositions,
  type Calibration,
  type CalibrationTable,
  type CanaryPair,
  type CanaryPairs,
} from "../canary.ts";
import { calibrationOf, calibrationPaysFrom, isFlaggedAlone, probesOf } from "./calibration-rules.ts";

type State =
  /**
   * `alone`: entries that were sent alone, although other waiting entries could have shared their request. The count
   * restarts after a failed calibration.
   */
  | { readonly kind: "new"; alone: number; readonly counted: WeakSet<BatchEntry>; readonly failures: number }
  | { readonly kind: "running"; readonly mayPool: Promise<boolean> }
  | { readonly kind: "ready"; readonly calibration: Calibration };

/**
 * Calibrates each address format once, as soon as that costs fewer requests than to send each entry alone. The count
 * includes waiting entries, and entries that were sent alone while others waited. A few events, or events that come one
 * by one, therefore never pay for a calibration.
 *
 * After a failed calibration the number of lone entries that triggers the next calibration doubles each time. If the
 * service lacks the chain of the failed calibration, another chain is tried at once.
 */
export class Calibrator {
  readonly #service: SecurityService;
  readonly #deps: RetryDeps;
  readonly #log: Log;
  readonly #states = new Map<AddressFormat, State>();
  /** Chains that the service does not support. No calibration is possible on them. */
  readonly #unsupported = new Set<string>();
  readonly #blindFamilies = new Set<Family>();

  constructor(service: SecurityService, deps: RetryDeps, log: Log) {
    this.#service = service;
    this.#log = log;
    this.#deps = deps;
  }

  /** Families in which the service flags no artificial lookalike. */
  get blindFamilies(): readonly Family[] {
    return [...this.#blindFamilies];
  }

  readonly find: CalibrationTable = (_family: Family, format: AddressFormat) => {
    const state = this.#states.get(format);
    return state?.kind === "ready" ? state.calibration : undefined;
  };

  /**
   * Whether an entry waits to be batched: its format may be batched, or a calibration is still possible. While a
   * calibration runs, all entries of the format share one promise.
   */
  mayPool(part: BatchEntry): boolean | Promise<boolean> {
    const state = this.#stateOf(part);
    if (state.kind === "running") return state.mayPool;
    return state.kind === "ready" ? state.calibration.canaries !== undefined : this.isUnknownFor(part);
  }

  /** The running calibration of an entry's format, if there is one. */
  running(part: BatchEntry): Promise<boolean> | undefined {
    const state = this.#stateOf(part);
    return state.kind === "running" ? state.mayPool : undefined;
  }

  /** Whether a calibration of the entry's format is running, or is possible on the entry's chain. */
  isUnknownFor(part: BatchEntry): boolean {
    const { kind } = this.#stateOf(part);
    return kind === "running" || (kind === "new" && !this.#unsupported.has(part.chain.id));
  }

  /**
   * Whether to calibrate before an entry of this format is sent alone.
   *
   * @param waiting Waiting entries that were never sent alone. It counts `part` if that is true for `part`.
   */
  isDue(part: BatchEntry, waiting: number): boolean {
    const state = this.#stateOf(part);
    if (state.kind !== "new") return false;
    const { alone, failures } = state;
    // The entries that waited for the failed calibration do not wait again: only later lone entries count.
    const parts = failures === 0 ? alone + waiting : alone / 2 ** (failures - 1);
    return parts >= calibrationPaysFrom(part.chain.family, formatOfPart(part));
  }

  /**
   * Counts an entry that is sent alone while other entries could have shared its request. A refused entry counts once.
   */
  askedAlone(part: BatchEntry): void {
    const state = this.#stateOf(part);
    if (state.kind !== "new" || state.counted.has(part)) return;
    state.counted.add(part);
    state.alone++;
  }

  /** Whether `askedAlone` counted this waiting entry. */
  wasAskedAlone(part: BatchEntry): boolean {
    const state = this.#stateOf(part);
    return state.kind === "new" && state.counted.has(part);
  }

  /**
   * Calibrates the entry's format on the entry's chain.
   *
   * @returns as `mayPool`.
   * @throws the error that ends the run.
   */
  calibrate(part: BatchEntry): Promise<boolean> {
    const before = this.#stateOf(part);
    const format = formatOfPart(part);
    const mayPool = this.#calibrationOf(part.chain, format).then((calibration) => {
      if (calibration !== undefined) this.#states.set(format, { kind: "ready", calibration });
      else this.#states.set(format, this.#afterFailure(before, part.chain));
      return calibration?.canaries !== undefined;
    });
    this.#states.set(format, { kind: "running", mayPool });
    return mayPool;
  }

  /** An unsupported chain says nothing about other chains. */
  #afterFailure(before: State, chain: BatchEntry["chain"]): State {
    if (this.#unsupported.has(chain.id)) return before;
    return newState(1 + (before.kind === "new" ? before.failures : 0));
  }

  #stateOf(part: BatchEntry): State {
    const format = formatOfPart(part);
    const known = this.#states.get(format);
    if (known !== undefined) return known;
    const state = newState(0);
    this.#states.set(format, state);
    return state;
  }

  /**
   * Tries the weakest probe first. The first probe that is flagged becomes the canary.
   *
   * @returns undefined when the service did not answer.
   */
  async #calibrationOf(chain: BatchEntry["chain"], format: AddressFormat): Promise<Calibration | undefined> {
    let areFlaggedAnyway = 0;
    for (const probe of probesOf(chain.family, format)) {
      const found = await this.#areFlagged(chain, probe);
      if (found === undefined) return undefined;
      if (found === "for its user") return calibrationOf(probe, chain.family, format);
      if (found === "anyway") areFlaggedAnyway++;
    }
    const says =
      areFlaggedAnyway === 0
        ? "the service flags none of the lookalikes that were made to try it: does it detect any?"
        : "the service flags lookalikes that were made to try it without the address that they imitate, too: does it flag everything?";
    if (areFlaggedAnyway === 0) this.#blindFamilies.add(chain.family);
    this.#log.error(says, { chain: chain.id });
    return calibrationOf(undefined, chain.family, format);
  }

  /**
   * How all pairs are flagged, or how the first pair is that is not flagged for its user.
   *
   * @returns undefined when the service did not answer.
   */
  async #areFlagged(chain: BatchEntry["chain"], pairs: CanaryPairs): Promise<Flagged | undefined> {
    for (const place of batchPositions) {
      const found = await this.#flagged(chain, pairs[place]);
      if (found !== "for its user") return found;
    }
    return "for its user";
  }

  /** @returns undefined when the service did not answer. */
  async #flagged(chain: BatchEntry["chain"], { user, target }: CanaryPair): Promise<Flagged | undefined> {
    const withUser = await this.#ask(chain, { user, target });
    if (withUser !== true) return withUser === undefined ? undefined : "not at all";
    const withNobody = await this.#ask(chain, { target });
    if (withNobody === undefined) return undefined;
    return withNobody ? "anyway" : "for its user";
  }

  async #ask(chain: BatchEntry["chain"], who: Parameters<typeof isFlaggedAlone>[1]): Promise<boolean | undefined> {
    const outcome = await askWithRetries(
      // Nothing is batched before the calibration ends, and realtime events may wait for it.
      { event: `calibration|${who.target}`, turn: waiterOf({ lane: "realtime", tenant: OWN_TENANT }) },
      () => isFlaggedAlone(chain, who, this.#service, this.#deps.signal),
      this.#deps,
    );
    if (outcome.ok) return outcome.value;
    if (outcome.error instanceof ChainUnsupportedError) this.#unsupported.add(chain.id);
    return undefined;
  }
}

/**
 * The tenant of the calibration's own requests. A tenant of its own keeps them from waiting behind events. Until the
 * calibration ends, each event takes its own request, and a long queue of such requests would delay it.
 */
const OWN_TENANT = "weir: calibration";

/** How the target of a pair is flagged. `anyway`: also without its user. */
type Flagged = "for its user" | "anyway" | "not at all";

function newState(failures: number): State {
  return { kind: "new", alone: 0, counted: new WeakSet(), failures };
}
