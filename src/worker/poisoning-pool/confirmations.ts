import type { PoisoningEvidence } from "../../events/evidence.ts";
import type { Log } from "../../kernel/log.ts";
import type { Random } from "../../kernel/random.ts";
import { Agreements } from "./agreements.ts";
import type { Imitators } from "./ask-pooled.ts";
import type { Calibrations } from "./calibration.ts";
import { flaggedBy, haveSameFlags } from "./flagged-by.ts";
import type { Part } from "./part.ts";
import type { Flagged } from "./waiting.ts";

/** What a flag that was raised in company is confirmed by. */
type Confirmed =
  /** Our own rule sees the event's own user in the target. */
  | { readonly by: "own-user" }
  /** The service confirmed so many of its kind that this one is believed. */
  | { readonly by: "learned" }
  /** Asking again, and where. */
  | { readonly by: "among-canaries" | "alone"; readonly kind: Flagged["kind"] };

const DISAGREED = {
  "own-user": "the service does not flag a lookalike of an event's own user when it is asked alone",
  itself: "the service does not flag a target without users that it flagged among them",
} as const satisfies Record<NonNullable<Flagged["kind"]>, string>;

/** Our own rule is the ground; few are confirmed, each by a request of its own. */
const OWN_USER = { needed: 0, oneIn: 64, slowness: 1, oneInAtMost: 256 } as const;
/**
 * Nothing but what the service said before is the ground. Chosen: what is confirmed holds back what of its partition may be read
 * (10,000 records), so that of one flag in a thousand hardly one in that many may wait.
 */
const ITSELF = { needed: 16, oneIn: 16, slowness: 1, oneInAtMost: 100 } as const;

/** Which flags of pooled requests are believed, and which are asked again. */
export class Confirmations {
  readonly #calibrations: Calibrations;
  readonly #log: Log;
  readonly #agreements: Readonly<Record<NonNullable<Flagged["kind"]>, Agreements>>;

  constructor(calibrations: Calibrations, random: Random, log: Log) {
    this.#calibrations = calibrations;
    this.#log = log;
    this.#agreements = { "own-user": new Agreements(OWN_USER, random), itself: new Agreements(ITSELF, random) };
  }

  /** What a part is confirmed by that was flagged among strangers. */
  of(part: Part, evidence: PoisoningEvidence, imitators: Imitators): Confirmed {
    const by = flaggedBy(part, evidence, imitators, this.#calibrations);
    if (by === "unknown") return { by: "alone", kind: undefined };
    if (by === "own-user") {
      return this.#agreements[by].believe() ? { by } : { by: "alone", kind: by };
    }
    // No canary is a token, and where imitators are not named a flag may be for a stranger's user.
    const isTold =
      imitators.areNamed && evidence.token?.is_poisoning !== "1" && evidence.token?.mimics_top_token !== "1";
    if (!isTold) return { by: "among-canaries", kind: undefined };
    return this.#agreements[by].believe() ? { by: "learned" } : { by: "among-canaries", kind: by };
  }

  /**
   * A flag was asked about again, and has its answer.
   *
   * @returns whether flags of its kind were believed that are to be believed no longer.
   */
  confirmed({ evidence, kind }: Flagged, answer: PoisoningEvidence): boolean {
    if (kind === undefined) return false;
    const isSame = haveSameFlags(evidence, answer);
    const wasBelieved = this.#agreements[kind].confirmed(isSame);
    if (wasBelieved) this.#log.warn(`${DISAGREED[kind]}: such flags are confirmed again`);
    return wasBelieved;
  }
}
