import { type ChainAddress, MAX_BATCH_ITEMS, type PoisoningBatchRequest } from "../../api/schemas/address-poisoning.ts";
import type { CanonicalAddress } from "../../chains/address.ts";
import { type AddressFormat, formatOf } from "../../chains/address-format.ts";
import type { Family } from "../../chains/chain.ts";
import type { Random } from "../../kernel/retry.ts";
import { arrangeCanaries, BatchSegment } from "./arrange-canaries.ts";
import type { BatchEntry } from "./batch-entry.ts";
import { type BatchPosition, batchPositions, CANARY_ITEMS, type CalibrationTable, type CanaryPair } from "./canary.ts";
import { BatchConflicts, type Named, NOWHERE } from "./queue/batch-conflicts.ts";

/** A request for entries of several events, with the index of each entry's items in the arrays of the request. */
export interface SealedBatch {
  readonly request: PoisoningBatchRequest;
  /** Index of each entry's target among the targets, in the order in which the entries were added. */
  readonly targets: readonly number[];
  /**
   * Index of each entry's token among the tokens, in the order in which the entries were added. Undefined without a
   * token.
   */
  readonly tokens: readonly (number | undefined)[];
  /** Indexes of the canaries' targets. */
  readonly canaries: readonly number[];
}

/** The items of a request on one chain. */
interface OnChain {
  readonly chainId: string;
  readonly apart: BatchConflicts;
  /** Address formats that already have their canaries on this chain. */
  readonly formats: AddressFormat[];
  readonly users: BatchSegment;
  readonly targets: BatchSegment;
  readonly tokens: BatchSegment;
}

/**
 * A request under construction. It holds entries that may share it (batch-conflicts.ts). Distinct users, targets and
 * tokens are sent once. Each chain and address format in the request has three canary pairs.
 */
export class Batch {
  readonly #calibrations: CalibrationTable;
  readonly #families = new Map<Family, BatchConflicts>();
  readonly #chains = new Map<string, OnChain>();
  /** The tokens of each chain, in the order in which the chains got their first token. */
  readonly #tokenRows: BatchSegment[] = [];
  /** The target of each entry, in the order in which the entries were added. */
  readonly #targets: Named[] = [];
  readonly #tokens: (Named | undefined)[] = [];
  readonly #canaries: Named[] = [];
  readonly #most: number;
  #size = 0;

  /** @param most Limit of items. */
  constructor(calibrations: CalibrationTable, most = MAX_BATCH_ITEMS) {
    this.#calibrations = calibrations;
    this.#most = most;
  }

  /** Items in the request. */
  get size(): number {
    return this.#size;
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /** Whether not even an entry with one new item would fit. */
  get isFull(): boolean {
    return this.#size >= this.#most;
  }

  /**
   * Adds `part` if it may share this request and fits.
   *
   * @returns whether the entry was added.
   */
  add(part: BatchEntry): boolean {
    const { chain, users, target, token } = part;
    const known = this.#chains.get(chain.id);
    const apart = known?.apart ?? this.#apartIn(chain.family);
    const growth = apart.growthOf(chain.id, part);
    if (growth === undefined) return false;
    const format = formatOf(chain.family, target);
    let on = known;
    if (on?.formats.includes(format) === true) {
      if (this.#size + growth > this.#most) return false;
    } else {
      const pairs = this.#calibrations(chain.family, format)?.canaries;
      if (pairs === undefined || this.#size + growth + CANARY_ITEMS > this.#most) return false;
      if (!batchPositions.every((place) => this.#suits(pairs[place], part, apart))) return false;
      on ??= this.#begin(chain.id, apart);
      on.formats.push(format);
      for (const place of batchPositions) this.#putCanary(on, pairs[place], place);
    }
    for (const user of users) this.#putUser(on, user, "middle");
    this.#targets.push(this.#putTarget(on, target, users, "middle"));
    this.#tokens.push(token === undefined ? undefined : this.#putToken(on, token, users));
    return true;
  }

  /**
   * Builds the request once from everything that was added. Each array is in random order between its two end canaries.
   *
   * A service that reads only the first or the last items of an array misses an end canary before any other item. A
   * service that skips items elsewhere skips the middle canary no less often than another item. The user and the target of
   * the middle canary each stand at a random index.
   */
  seal(random: Random): SealedBatch {
    const chains = [...this.#chains.values()];
    const users = arrangeCanaries(
      chains.map((on) => on.users),
      random,
    );
    const targets = arrangeCanaries(
      chains.map((on) => on.targets),
      random,
    );
    const tokens = arrangeCanaries(this.#tokenRows, random);
    targets.forEach((named, at) => {
      named.targetAt = at;
    });
    tokens.forEach((named, at) => {
      named.tokenAt = at;
    });
    return {
      request: {
        user_addresses: users.map(itemOf),
        target_addresses: targets.map(itemOf),
        token_addresses: tokens.map(itemOf),
      },
      targets: this.#targets.map(targetAt),
      tokens: this.#tokens.map((named) => named?.tokenAt),
      canaries: this.#canaries.map(targetAt),
    };
  }

  #apartIn(family: Family): BatchConflicts {
    let apart = this.#families.get(family);
    if (apart === undefined) {
      apart = new BatchConflicts(family, this.#calibrations);
      this.#families.set(family, apart);
    }
    return apart;
  }

  #begin(chainId: string, apart: BatchConflicts): OnChain {
    const on = {
      chainId,
      apart,
      formats: [],
      users: new BatchSegment(),
      targets: new BatchSegment(),
      tokens: new BatchSegment(),
    };
    this.#chains.set(chainId, on);
    return on;
  }

  /** Whether a canary pair conflicts neither with the items of this request nor with the entry that introduces it. */
  #suits(pair: CanaryPair, part: BatchEntry, apart: BatchConflicts): boolean {
    const { chain } = part;
    const stranger = { target: pair.target, token: undefined, users: [pair.user] };
    if (apart.growthOf(chain.id, stranger) === undefined) return false;
    const own = new BatchConflicts(chain.family, this.#calibrations);
    own.add(chain.id, part);
    return own.growthOf(chain.id, stranger) !== undefined;
  }

  /** No target of this format is in the request yet. But an entry with another target may list the canary's user. */
  #putCanary(on: OnChain, { user, target }: CanaryPair, place: BatchPosition): void {
    on.users.move(this.#putUser(on, user, place), place);
    this.#canaries.push(this.#putTarget(on, target, [user], place));
  }

  #putUser(on: OnChain, user: CanonicalAddress, place: BatchPosition): Named {
    const named = on.apart.user(on.chainId, user);
    if (!named.isSentAsUser) {
      named.isSentAsUser = true;
      on.users[place].push(named);
      this.#size++;
    }
    return named;
  }

  #putTarget(on: OnChain, target: CanonicalAddress, users: BatchEntry["users"], place: BatchPosition): Named {
    const named = on.apart.asked(on.chainId, target, users);
    if (named.targetAt === NOWHERE) {
      named.targetAt = on.targets[place].push(named);
      this.#size++;
    }
    return named;
  }

  #putToken(on: OnChain, token: CanonicalAddress, users: BatchEntry["users"]): Named {
    const named = on.apart.asked(on.chainId, token, users);
    if (named.tokenAt === NOWHERE) {
      if (on.tokens.middle.length === 0) this.#tokenRows.push(on.tokens);
      named.tokenAt = on.tokens.middle.push(named);
      this.#size++;
    }
    return named;
  }
}

function itemOf({ item }: Named): ChainAddress {
  return item;
}

function targetAt(named: Named): number {
  return named.targetAt;
}
