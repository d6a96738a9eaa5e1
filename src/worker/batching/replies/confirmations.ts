import type { AddressFormat } from "../../../chains/address-format.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Random } from "../../../kernel/retry.ts";
import type { PoisoningEvidence } from "../../../messages/evidence.ts";
import { type BatchEntry, formatOfPart } from "../batch-entry.ts";
import type { CalibrationTable } from "../canary.ts";
import type { Imitators } from "../canary-check.ts";
import type { FlaggedEntry } from "../queue/entry-queue.ts";
import { Agreements, type Trust } from "./agreements.ts";
import { flaggedBy, haveSameFlags } from "./flagged-by.ts";

type Kind = NonNullable<FlaggedEntry["kind"]>;

/** What confirms a flag from a batch. */
type Confirmed =
  /** The worker's own rule sees that the target imitates a user of the event. */
  | { readonly by: "own-user" }
  /** The service confirmed enough flags of this kind, so this flag is believed. */
  | { readonly by: "learned" }
  /** Another request, with canaries or alone. */
  | { readonly by: "among-canaries" | "alone"; readonly kind: Kind | undefined };

const DISAGREED = {
  "own-user": "the service does not flag a lookalike of an event's own user when it is asked alone",
  itself: "the service does not flag a target without users that it flagged among them",
} as const satisfies Record<Kind, string>;

/** The worker's own rule justifies the belief. Few flags are confirmed, each by a request of its own. */
const OWN_USER = { needed: 0, oneIn: 64, slowness: 1, oneInAtMost: 256 } as const;
/**
 * Only earlier answers of the service justify the belief. Chosen: a waiting confirmation holds back the reading of its
 * partition (10,000 records). With one flag in a thousand records, these 10,000 records hardly hold one waiting
 * confirmation.
 */
const ITSELF = { needed: 16, oneIn: 16, slowness: 1, oneInAtMost: 100 } as const;

const trusts = { "own-user": OWN_USER, itself: ITSELF } as const satisfies Record<Kind, Trust>;

/**
 * Which flags from batches are believed, and which are sent again. Agreements are counted per address format. One
 * disagreement ends the belief in all formats.
 */
export class Confirmations {
  readonly #calibrations: CalibrationTable;
  readonly #random: Random;
  readonly #log: Log;
  readonly #agreements: Readonly<Record<Kind, Map<AddressFormat, Agreements>>> = {
    "own-user": new Map(),
    itself: new Map(),
  };

  constructor(calibrations: CalibrationTable, random: Random, log: Log) {
    this.#calibrations = calibrations;
    this.#random = random;
    this.#log = log;
  }

  /** What confirms an entry that was flagged in a batch. */
  of(part: BatchEntry, evidence: PoisoningEvidence, imitators: Imitators): Confirmed {
    const by = flaggedBy(part, evidence, imitators, this.#calibrations);
    if (by === "unknown") return { by: "alone", kind: undefined };
    if (by === "own-user") return this.#agreementsOn(by, part).believe() ? { by } : { by: "alone", kind: by };
    // No canary is a token, and without mimics_user on the canaries a flag may come from another event's user.
    const isTold =
      imitators.areNamed && evidence.token?.is_poisoning !== "1" && evidence.token?.mimics_top_token !== "1";
    if (!isTold) return { by: "among-canaries", kind: undefined };
    return this.#agreementsOn(by, part).believe() ? { by: "learned" } : { by: "among-canaries", kind: by };
  }

  /**
   * Records the answer to a confirmation.
   *
   * @returns whether flags of this kind were believed and must not be trusted any more.
   */
  confirmed(part: BatchEntry, { evidence, kind }: FlaggedEntry, answer: PoisoningEvidence): boolean {
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
