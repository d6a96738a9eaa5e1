import { ID_WORDS, NAME, NAME_CHECK } from "./event-words.ts";

/**
 * Bits of a slot that hold the number of its entry, from 1 on. The other bits hold a part of the hash that the entry is
 * found by.
 */
const NUMBER_BITS = 18;
const NUMBERS = 2 ** NUMBER_BITS - 1;

/** `conflicting`: the table has an event with this name and other content. */
export type Sight = "new" | "repeated" | "conflicting";

/**
 * A bounded number of events in the order of their arrival, and slots of 32 bits to find them by. A few adjacent slots
 * show that an event is absent, and an entry is hardly ever read for that. The hash of the name leads to the first
 * event with that name. The hash of its own id leads to each further event with that name. So a search never walks all
 * events of one name. Equal ids imply equal names, so every search follows the path of the insertion.
 */
export class EventTable {
  /** 0 marks a free slot. */
  readonly slots: Int32Array;
  /** `ID_WORDS` words for each entry. */
  readonly ids: Int32Array;
  readonly #checks: Int32Array;
  #count = 0;
  /** The slot at which the last search ended, and the hash of that search. */
  #end = 0;
  #hash = 0;

  /** @param capacity three quarters of a power of 2. A quarter of the slots stays free, so that a search ends soon. */
  constructor(capacity: number) {
    if (capacity > NUMBERS) throw new Error(`a slot has no numbers for ${capacity} entries`);
    this.slots = new Int32Array(slotsFor(capacity));
    this.ids = new Int32Array(capacity * ID_WORDS);
    this.#checks = new Int32Array(capacity);
  }

  get isFull(): boolean {
    return this.#count === this.#checks.length;
  }

  /** @param event as for `EventWords`. */
  look(event: Int32Array): Sight {
    const named = this.#findByName(event);
    if (named === 0) return "new";
    if (hasId(this.ids, entryIn(named), event)) return "repeated";
    return this.#findById(event) === 0 ? "conflicting" : "repeated";
  }

  /** @param event the one of the last search, which did not find it. */
  add(event: Int32Array): void {
    const entry = this.#count++;
    this.slots[this.#end] = slotOf(this.#hash, entry);
    this.#checks[entry] = event[NAME_CHECK] ?? 0;
    for (let i = 0; i < ID_WORDS; i++) this.ids[entry * ID_WORDS + i] = event[i] ?? 0;
  }

  /** From now on all events are found by their ids, and none by its name. */
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

  /** @returns the slot of the first event with this name; 0 when there is none. */
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

  /** @returns the slot of this event when it is not the first with its name; 0 when the table lacks it. */
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

/** The slot at which a search begins. `slots` is a power of 2. */
export function firstSlot(hash: number, slots: number): number {
  // The first bits of the hash select the slot, since the slot keeps the last bits.
  return hash >>> (Math.clz32(slots) + 1);
}

/** Whether the entry of this taken slot may be one that is found by `hash`. */
export function isOf(slot: number, hash: number): boolean {
  return (slot ^ (hash << NUMBER_BITS)) >>> NUMBER_BITS === 0;
}

/** The number of the entry of a slot, from 0 on. */
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
