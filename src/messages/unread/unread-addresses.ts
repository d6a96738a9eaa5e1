import { shortName } from "../../api/requests/short-name.ts";
import { addBounded } from "../../kernel/add-bounded.ts";
import type { StrayAddress } from "./stray-address.ts";

/** A field, or a column of a CSV, that is not read and holds addresses. */
export interface UnreadAddress extends Omit<StrayAddress, "path"> {
  readonly name: string;
  readonly kind: "field" | "column";
  /** How many events have addresses in it. */
  readonly events: number;
  /** The place of the first of them: `line 2`. */
  readonly first: string;
}

/** Chosen: an export has twenty columns, and a producer who invents names must not fill memory or report. */
const MAX_NAMES = 32;

/** Behind a name: shown names hold no control characters. */
const MAYBE = "\0";

/** The same few paths come with every row. */
const nameOf = addBounded(shortName);

/** Counts the addresses of an input that were not read, by their field or column. */
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

  /** In the order in which they were met. */
  get fields(): readonly UnreadAddress[] {
    return [...this.#byName.values()];
  }

  /** How often a field was met beyond those, of which no names are kept. */
  get beyond(): number {
    return this.#beyond;
  }
}
