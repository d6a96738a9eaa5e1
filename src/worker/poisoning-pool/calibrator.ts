import { type AddressFormat, formatOf } from "../../chains/address-format.ts";
import type { Family } from "../../chains/chain.ts";
import type { Log } from "../../kernel/log.ts";
import { type AskingDeps, askWithRetries } from "../pace/ask-with-retries.ts";
import { turnOf } from "../pace/turn.ts";
import type { SecurityService } from "../ports.ts";
import { ChainUnsupportedError } from "../service-errors.ts";
import { calibrationOf, isFlaggedAlone, probesOf } from "./calibrate.ts";
import { type Calibration, type Calibrations, type CanaryPair, type CanaryPairs, places } from "./calibration.ts";
import type { Part } from "./part.ts";

type State =
  /** So many parts came by and were asked alone: fewer than calibration costs. */
  | { readonly kind: "new"; parts: number }
  | { readonly kind: "running"; readonly isUsable: Promise<boolean> }
  | { readonly kind: "ready"; readonly calibration: Calibration };

/**
 * Calibrates each address format once as many parts have come as it has probes, each of which costs six requests at most: so
 * few events pay none of them, and a few more pay some that they do not need. A format that could not be calibrated, since
 * the service failed, is tried again after as many more; on another chain, when it does not have the one that was tried.
 */
export class Calibrator {
  readonly #service: SecurityService;
  readonly #deps: AskingDeps;
  readonly #log: Log;
  readonly #states = new Map<AddressFormat, State>();
  /** Chains that the service does not have: nothing can be found out there. */
  readonly #unsupported = new Set<string>();

  constructor(service: SecurityService, deps: AskingDeps, log: Log) {
    this.#service = service;
    this.#log = log;
    this.#deps = deps;
  }

  readonly find: Calibrations = (_family: Family, format: AddressFormat) => {
    const state = this.#states.get(format);
    return state?.kind === "ready" ? state.calibration : undefined;
  };

  /** A part has come. @returns whether it may be pooled; what is not known yet is one promise for all of a format. */
  admit({ chain, target }: Part): boolean | Promise<boolean> {
    const format = formatOf(chain.family, target);
    const state = this.#states.get(format) ?? { kind: "new", parts: 0 };
    if (state.kind === "ready") return state.calibration.canaries !== undefined;
    if (state.kind === "running") return state.isUsable;
    if (this.#unsupported.has(chain.id)) return false;
    this.#states.set(format, state);
    if (state.parts++ < probesOf(chain.family, format).length) return false;
    const isUsable = this.#calibrate(chain, format).then(() => this.find(chain.family, format)?.canaries !== undefined);
    this.#states.set(format, { kind: "running", isUsable });
    return isUsable;
  }

  /** The weakest first: the first that is flagged is the canary, and nobody needs to know of the stronger ones. */
  async #calibrate(chain: Part["chain"], format: AddressFormat): Promise<void> {
    for (const probe of probesOf(chain.family, format)) {
      const isFlagged = await this.#areFlagged(chain, probe);
      if (isFlagged === undefined) {
        this.#states.set(format, { kind: "new", parts: 0 });
        return;
      }
      if (isFlagged) {
        this.#states.set(format, { kind: "ready", calibration: calibrationOf(probe, chain.family, format) });
        return;
      }
    }
    this.#log.error("the service flags none of the lookalikes that were made to try it: does it detect any?", {
      chain: chain.id,
    });
    this.#states.set(format, { kind: "ready", calibration: calibrationOf(undefined, chain.family, format) });
  }

  /** Whether all of them are. Undefined when the service did not answer. */
  async #areFlagged(chain: Part["chain"], pairs: CanaryPairs): Promise<boolean | undefined> {
    for (const place of places) {
      const isFlagged = await this.#isFlagged(chain, pairs[place]);
      if (isFlagged !== true) return isFlagged;
    }
    return true;
  }

  /** Whether it is flagged for its user's sake. Undefined when the service did not answer. */
  async #isFlagged(chain: Part["chain"], { user, target }: CanaryPair): Promise<boolean | undefined> {
    const withUser = await this.#ask(chain, { user, target });
    if (withUser !== true) return withUser;
    const withNobody = await this.#ask(chain, { target });
    return withNobody === undefined ? undefined : !withNobody;
  }

  async #ask(chain: Part["chain"], who: Parameters<typeof isFlaggedAlone>[1]): Promise<boolean | undefined> {
    const outcome = await askWithRetries(
      // Nothing is pooled before it is known: realtime events may wait for it.
      { event: `calibration|${who.target}`, turn: turnOf({ lane: "realtime", tenant: "" }) },
      () => isFlaggedAlone(chain, who, this.#service, this.#deps.signal),
      this.#deps,
    );
    if (outcome.ok) return outcome.value;
    if (outcome.error instanceof ChainUnsupportedError) this.#unsupported.add(chain.id);
    return undefined;
  }
}
