import { ID_WORDS, NAME, NAME_CHECK } from "./event-words.ts";

/** Bits of a slot that say which entry it is of, from 1 on; the others are of the hash that the entry is found by. */
const NUMBER_BITS = 18;
const NUMBERS = 2 ** NUMBER_BITS - 1;

/** `conflicting`: its name is there, with other content. */
export type Sight = "new" | "repeated" | "conflicting";

/**
 * So many events in the order in which they came, and slots of 32 bits to find them by: that one is not there is seen from a
 * few slots beside each other, and hardly ever takes a look at an entry. The first event of a name stands where the name leads,
 * and all others of that name where their own ids lead: however many there are, none is searched for among all of them. The
 * same id is of the same name, so whatever is there is found on the way that it was put there.
 */
export class EventTable {
  /** 0: free. */
  readonly slots: Int32Array;
  /** `ID_WORDS` of each entry. */
  readonly ids: Int32Array;
  readonly #checks: Int32Array;
  #count = 0;
  /** Which slot the last search ended at, and the hash that led to it. */
  #end = 0;
  #hash = 0;

  /** @param capacity three quarters of a power of 2: a quarter of the slots stays free, so that a search ends soon. */
  constructor(capacity: number) {
    if (capacity > NUMBERS) throw new Error(`a slot has no numbers for ${capacity} entries`);
    this.slots = new Int32Array(slotsFor(capacity));
    this.ids = new Int32Array(capacity * ID_WORDS);
    this.#checks = new Int32Array(capacity);
  }

  get isFull(): boolean {
    return this.#count === this.#checks.length;
  }

  /** @param event as of `EventWords`. */
  look(event: Int32Array): Sight {
    const named = this.#findByName(event);
    if (named === 0) return "new";
    if (hasId(this.ids, entryIn(named), event)) return "repeated";
    return this.#findById(event) === 0 ? "conflicting" : "repeated";
  }

  /** @param event the one that was looked for last, and is not there. */
  add(event: Int32Array): void {
    const entry = this.#count++;
    this.slots[this.#end] = slotOf(this.#hash, entry);
    this.#checks[entry] = event[NAME_CHECK] ?? 0;
    for (let i = 0; i < ID_WORDS; i++) this.ids[entry * ID_WORDS + i] = event[i] ?? 0;
  }

  /** From now on all are found by their ids, and none by its name. */
  indexById(): void {
    const { slots, ids } = this;
    slots.fill(0);
    for (let entry = 0; entry < this.#count; entry++) {
      const hash = ids[entry * ID_WORDS] ?? 0;
      let at = firstSlot(hash, slots.length);
      while (slots[at] !== 0) at = (at + 1) & (slots.length - 1);
      slots[at] = slotOf(hash, entry);
    }
  }

  clear(): void {
    this.slots.fill(0);
    this.#count = 0;
  }

  /** @returns the slot of the first event of this name; 0 when there is none. */
  #findByName(event: Int32Array): number {
    const { slots } = this;
    const checks = this.#checks;
    const hash = event[NAME] ?? 0;
    let at = firstSlot(hash, slots.length);
    let slot = slots[at] ?? 0;
    while (slot !== 0 && !(isOf(slot, hash) && checks[entryIn(slot)] === event[NAME_CHECK])) {
      at = (at + 1) & (slots.length - 1);
      slot = slots[at] ?? 0;
    }
    this.#end = at;
    this.#hash = hash;
    return slot;
  }

  /** @returns the slot of this event, if it is not the first of its name; 0 when it is not there. */
  #findById(event: Int32Array): number {
    const { slots, ids } = this;
    const hash = event[0] ?? 0;
    let at = firstSlot(hash, slots.length);
    let slot = slots[at] ?? 0;
    while (slot !== 0 && !(isOf(slot, hash) && hasId(ids, entryIn(slot), event))) {
      at = (at + 1) & (slots.length - 1);
      slot = slots[at] ?? 0;
    }
    this.#end = at;
    this.#hash = hash;
    return slot;
  }
}

export function slotsFor(capacity: number): number {
  return (capacity / 3) * 4;
}

/** Which of a power of 2 slots a search begins at. */
export function firstSlot(hash: number, slots: number): number {
  // By its first bits: a slot keeps the last ones.
  return hash >>> (Math.clz32(slots) + 1);
}

/** Whether the entry of this slot, which is taken, may be one that is found by `hash`. */
export function isOf(slot: number, hash: number): boolean {
  return (slot ^ (hash << NUMBER_BITS)) >>> NUMBER_BITS === 0;
}

/** From 0 on. */
export function entryIn(slot: number): number {
  return (slot & NUMBERS) - 1;
}

export function hasId(ids: Int32Array, entry: number, event: Int32Array): boolean {
  for (let i = 0; i < ID_WORDS; i++) if (ids[entry * ID_WORDS + i] !== event[i]) return false;
  return true;
}

function slotOf(hash: number, entry: number): number {
  return (hash << NUMBER_BITS) | (entry + 1);
}
