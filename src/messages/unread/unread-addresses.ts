import { shortName } from "../../api/requests/short-name.ts";
import { addBounded } from "../../kernel/collections.ts";
import type { StrayAddress } from "./stray-address.ts";

/** A field, or a column of a CSV file, that is not read and holds addresses. */
export interface UnreadAddress extends Omit<StrayAddress, "path"> {
  readonly name: string;
  readonly kind: "field" | "column";
  /** The number of events with addresses in the field. */
  readonly events: number;
  /** The place of the first such event: `line 2`. */
  readonly first: string;
}

/** Chosen: an export has twenty columns, and a producer with invented names must not fill memory or report. */
const MAX_NAMES = 32;

/** Appended to a name in keys. Displayed names hold no control characters. */
const MAYBE = "\0";

/** Every row has the few paths that the first row has. */
const nameOf = addBounded(shortName);

/** Counts the unread addresses of an input by field or column. */
export class UnreadAddresses {
  readonly #byName = new Map<string, UnreadAddress & { events: number }>();
  #beyond = 0;

  /** @param place of the event: `line 2`. */
  add(strays: readonly StrayAddress[], kind: UnreadAddress["kind"], place: string): void {
    for (const { path, isTelling, mayBeHash, meant } of strays) {
      const name = nameOf(path);
      const key = mayBeHash ? `${name}${MAYBE}` : name;
      const known = this.#byName.get(key);
      if (known !== undefined) known.events++;
      else if (this.#byName.size === MAX_NAMES) this.#beyond++;
      else this.#byName.set(key, { name, kind, isTelling, mayBeHash, meant, events: 1, first: place });
    }
  }

  /** The fields in the order of their first occurrence. */
  get fields(): readonly UnreadAddress[] {
    return [...this.#byName.values()];
  }

  /** The number of occurrences in further fields, which are kept without a name. */
  get beyond(): number {
    return this.#beyond;
  }
}
