import type { AddressFormat } from "../../../chains/address-format.ts";
import type { Family } from "../../../chains/chain.ts";
import type { Log } from "../../../kernel/log.ts";
import { ChainUnsupportedError } from "../../answers/service-errors.ts";
import type { SecurityService } from "../../ports.ts";
import { type AskingDeps, askWithRetries } from "../../rate-limit/gate/ask-with-retries.ts";
import { waiterOf } from "../../rate-limit/queue/waiter.ts";
import { type BatchEntry, formatOfPart } from "../batch-entry.ts";
import { calibrationOf, calibrationPaysFrom, isFlaggedAlone, probesOf } from "./calibrate.ts";
import {
  batchPositions,
  type Calibration,
  type Calibrations,
  type CanaryPair,
  type CanaryPairs,
} from "./calibration.ts";

type State =
  /** `alone`: so many were asked alone while others waited who could have shared their request; since the last failure. */
  | { readonly kind: "new"; alone: number; readonly counted: WeakSet<BatchEntry>; readonly failures: number }
  | { readonly kind: "running"; readonly mayPool: Promise<boolean> }
  | { readonly kind: "ready"; readonly calibration: Calibration };

/**
 * Calibrates each address format once, as soon as that takes fewer requests than to ask alone about each part of it that
 * waits, and each that was asked alone before while others waited: few events pay nothing for it, and as little do events
 * that come one by one. A format that could not be calibrated, since the service failed, is tried again after as many more
 * were asked alone, after twice as many each time; and at once on another chain, when it does not have the one tried.
 */
export class Calibrator {
  readonly #service: SecurityService;
  readonly #deps: AskingDeps;
  readonly #log: Log;
  readonly #states = new Map<AddressFormat, State>();
  /** Chains that the service does not have: nothing can be found out there. */
  readonly #unsupported = new Set<string>();
  readonly #blindFamilies = new Set<Family>();

  constructor(service: SecurityService, deps: AskingDeps, log: Log) {
    this.#service = service;
    this.#log = log;
    this.#deps = deps;
  }

  /** Families of which the service flags no lookalike that was made to try it. */
  get blindFamilies(): readonly Family[] {
    return [...this.#blindFamilies];
  }

  readonly find: Calibrations = (_family: Family, format: AddressFormat) => {
    const state = this.#states.get(format);
    return state?.kind === "ready" ? state.calibration : undefined;
  };

  /**
   * Whether a part is to wait for company: it may be pooled, or it is worth finding out once there is some. While that is
   * being found out, one promise for all of a format.
   */
  mayPool(part: BatchEntry): boolean | Promise<boolean> {
    const state = this.#stateOf(part);
    if (state.kind === "running") return state.mayPool;
    return state.kind === "ready" ? state.calibration.canaries !== undefined : this.isUnknownFor(part);
  }

  /** What finds out whether a part's format may be pooled, while it does. */
  running(part: BatchEntry): Promise<boolean> | undefined {
    const state = this.#stateOf(part);
    return state.kind === "running" ? state.mayPool : undefined;
  }

  /** Whether it is being found out, or could be by the chain of a part, whether its format may be pooled. */
  isUnknownFor(part: BatchEntry): boolean {
    const { kind } = this.#stateOf(part);
    return kind === "running" || (kind === "new" && !this.#unsupported.has(part.chain.id));
  }

  /** Whether to calibrate before a part of this format is asked alone, since `waiting` wait who were not, itself included. */
  isDue(part: BatchEntry, waiting: number): boolean {
    const state = this.#stateOf(part);
    if (state.kind !== "new") return false;
    const { alone, failures } = state;
    // Whoever waited for the one that failed has waited enough: only who is asked alone since then counts.
    const parts = failures === 0 ? alone + waiting : alone / 2 ** (failures - 1);
    return parts >= calibrationPaysFrom(part.chain.family, formatOfPart(part));
  }

  /** A part is asked alone, while others wait who could have shared its request. One whose request was refused counts once. */
  askedAlone(part: BatchEntry): void {
    const state = this.#stateOf(part);
    if (state.kind !== "new" || state.counted.has(part)) return;
    state.counted.add(part);
    state.alone++;
  }

  /** Whether a part that waits was counted by `askedAlone`. */
  wasAskedAlone(part: BatchEntry): boolean {
    const state = this.#stateOf(part);
    return state.kind === "new" && state.counted.has(part);
  }

  /** What is open is found out, by the chain of a part. @returns as `mayPool`. @throws what ends the run. */
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

  /** A chain that the service does not have says nothing of the others. */
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

  /** The weakest first: the first that is flagged is the canary. Undefined when the service did not answer. */
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

  /** What is true of all of them, or of the first that is not flagged for its user. Undefined when the service did not answer. */
  async #areFlagged(chain: BatchEntry["chain"], pairs: CanaryPairs): Promise<Flagged | undefined> {
    for (const place of batchPositions) {
      const found = await this.#flagged(chain, pairs[place]);
      if (found !== "for its user") return found;
    }
    return "for its user";
  }

  /** Undefined when the service did not answer. */
  async #flagged(chain: BatchEntry["chain"], { user, target }: CanaryPair): Promise<Flagged | undefined> {
    const withUser = await this.#ask(chain, { user, target });
    if (withUser !== true) return withUser === undefined ? undefined : "not at all";
    const withNobody = await this.#ask(chain, { target });
    if (withNobody === undefined) return undefined;
    return withNobody ? "anyway" : "for its user";
  }

  async #ask(chain: BatchEntry["chain"], who: Parameters<typeof isFlaggedAlone>[1]): Promise<boolean | undefined> {
    const outcome = await askWithRetries(
      // Nothing is pooled before it is known: realtime events may wait for it.
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
 * The tenant of the questions that try the service out. Alone among tenants, they wait for no events of others: until they are
 * answered each event takes a request of its own, and behind a long line of those the trial would not end.
 */
const OWN_TENANT = "weir: calibration";

/** How the target of a pair is flagged; `anyway`: without its user, too. */
type Flagged = "for its user" | "anyway" | "not at all";

function newState(failures: number): State {
  return { kind: "new", alone: 0, counted: new WeakSet(), failures };
}
