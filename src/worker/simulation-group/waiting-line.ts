import { cutGroup } from "./cut-group.ts";
import type { LockSets } from "./locks.ts";
import type { Asker } from "./ports.ts";

/** What the line has to know of one that waits. */
export interface Waiter {
  readonly asker: Asker;
  /** Undefined for one that goes alone. */
  readonly locks: LockSets | undefined;
}

/** Those that wait for a request, first come first, and parts of groups that were sent before: these go first, as they are. */
export class WaitingLine<T extends Waiter> {
  #fresh: T[] = [];
  #parts: readonly (readonly T[])[] = [];

  get isEmpty(): boolean {
    return this.#fresh.length + this.#parts.length === 0;
  }

  add(waiter: T): void {
    this.#fresh.push(waiter);
  }

  addParts(parts: readonly (readonly T[])[]): void {
    this.#parts = [...this.#parts, ...parts];
  }

  /** Takes out what goes next, without those whom nobody waits for any more; nothing when nobody is left. */
  cut(groupMax: number): readonly T[] {
    const isWanted = ({ asker }: T) => !asker.signal.aborted;
    this.#fresh = this.#fresh.filter(isWanted);
    const [part, ...parts] = this.#parts.map((each) => each.filter(isWanted)).filter(({ length }) => length > 0);
    this.#parts = parts;
    if (part !== undefined) return part;
    const group = new Set(cutGroup(this.#fresh, groupMax));
    this.#fresh = this.#fresh.filter((each) => !group.has(each));
    return [...group];
  }

  /** Takes out everyone. */
  clear(): readonly T[] {
    const everyone = [...this.#parts.flat(), ...this.#fresh];
    this.#fresh = [];
    this.#parts = [];
    return everyone;
  }
}
