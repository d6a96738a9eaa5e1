import type { AddressFormat } from "../../../chains/address-format.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Random } from "../../../kernel/random.ts";
import type { PoisoningEvidence } from "../../../messages/evidence.ts";
import type { Imitators } from "../ask-pooled.ts";
import { type BatchEntry, formatOfPart } from "../batch-entry.ts";
import type { Calibrations } from "../calibration/calibration.ts";
import type { Flagged } from "../queue/waiting.ts";
import { Agreements, type Trust } from "./agreements.ts";
import { flaggedBy, haveSameFlags } from "./flagged-by.ts";

type Kind = NonNullable<Flagged["kind"]>;

/** What a flag that was raised in company is confirmed by. */
type Confirmed =
  /** Our own rule sees the event's own user in the target. */
  | { readonly by: "own-user" }
  /** The service confirmed so many of its kind that this one is believed. */
  | { readonly by: "learned" }
  /** Asking again, and where. */
  | { readonly by: "among-canaries" | "alone"; readonly kind: Kind | undefined };

const DISAGREED = {
  "own-user": "the service does not flag a lookalike of an event's own user when it is asked alone",
  itself: "the service does not flag a target without users that it flagged among them",
} as const satisfies Record<Kind, string>;

/** Our own rule is the ground; few are confirmed, each by a request of its own. */
const OWN_USER = { needed: 0, oneIn: 64, slowness: 1, oneInAtMost: 256 } as const;
/**
 * Nothing but what the service said before is the ground. Chosen: what is confirmed holds back what of its partition may be read
 * (10,000 records), so that of one flag in a thousand hardly one in that many may wait.
 */
const ITSELF = { needed: 16, oneIn: 16, slowness: 1, oneInAtMost: 100 } as const;

const trusts = { "own-user": OWN_USER, itself: ITSELF } as const satisfies Record<Kind, Trust>;

/**
 * Which flags of pooled requests are believed, and which are asked again. What a service says of one address format teaches
 * nothing of another; what it takes back of one format ends the belief in all.
 */
export class Confirmations {
  readonly #calibrations: Calibrations;
  readonly #random: Random;
  readonly #log: Log;
  readonly #agreements: Readonly<Record<Kind, Map<AddressFormat, Agreements>>> = {
    "own-user": new Map(),
    itself: new Map(),
  };

  constructor(calibrations: Calibrations, random: Random, log: Log) {
    this.#calibrations = calibrations;
    this.#random = random;
    this.#log = log;
  }

  /** What a part is confirmed by that was flagged among strangers. */
  of(part: BatchEntry, evidence: PoisoningEvidence, imitators: Imitators): Confirmed {
    const by = flaggedBy(part, evidence, imitators, this.#calibrations);
    if (by === "unknown") return { by: "alone", kind: undefined };
    if (by === "own-user") return this.#agreementsOn(by, part).believe() ? { by } : { by: "alone", kind: by };
    // No canary is a token, and where imitators are not named a flag may be for a stranger's user.
    const isTold =
      imitators.areNamed && evidence.token?.is_poisoning !== "1" && evidence.token?.mimics_top_token !== "1";
    if (!isTold) return { by: "among-canaries", kind: undefined };
    return this.#agreementsOn(by, part).believe() ? { by: "learned" } : { by: "among-canaries", kind: by };
  }

  /**
   * A flag was asked about again, and has its answer.
   *
   * @returns whether flags of its kind were believed that are to be believed no longer.
   */
  confirmed(part: BatchEntry, { evidence, kind }: Flagged, answer: PoisoningEvidence): boolean {
    if (kind === undefined) return false;
    const ofFormat = this.#agreementsOn(kind, part);
    if (haveSameFlags(evidence, answer)) {
      ofFormat.agreed();
      return false;
    }
    let believed = 0;
    for (const each of this.#agreements[kind].values()) believed += each.disagreed();
    if (believed > 0) this.#log.warn(`${DISAGREED[kind]}: such flags are confirmed again`, { believed });
    return believed > 0;
  }

  #agreementsOn(kind: Kind, part: BatchEntry): Agreements {
    const format = formatOfPart(part);
    const known = this.#agreements[kind].get(format);
    if (known !== undefined) return known;
    const made = new Agreements(trusts[kind], this.#random);
    this.#agreements[kind].set(format, made);
    return made;
  }
}
