import type { ListEntry } from "../../../../labels/import/list-entry.ts";
import type { ListSource } from "../formats/list-source.ts";
import { SdnAdvanced } from "./sdn-advanced.ts";
import { SdnPlain } from "./sdn-plain.ts";
import { MAX_TEXT, type XmlListener, XmlReader } from "./xml-reader.ts";

/** How each of OFAC's documents is read, by its outermost element. */
const documents: Readonly<Record<string, () => SdnAdvanced | SdnPlain>> = {
  Sanctions: () => new SdnAdvanced(),
  sdnList: () => new SdnPlain(),
};

const CUT = `row: text longer than ${MAX_TEXT} characters is read up to there: list addresses behind them by hand`;

/** OFAC's lists in XML: SDN_ADVANCED.XML, and the older SDN.XML; the consolidated lists are written alike. */
export async function* ofacXml(list: ListSource): AsyncGenerator<ListEntry> {
  const document = new ByRoot();
  const xml = new XmlReader(document);
  for await (const piece of list.pieces()) {
    xml.push(piece);
    yield* document.take();
  }
  xml.end();
  yield* document.take();
  yield* document.told?.rest() ?? [];
}

/** Hands the elements on to the reader that its outermost element names. */
class ByRoot implements XmlListener {
  told: SdnAdvanced | SdnPlain | undefined;
  readonly #cuts: ListEntry[] = [];

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.told ??= readerOf(name);
    this.told.open(name, attributes);
  }

  close(name: string, text: string, line: number): void {
    this.told?.close(name, text, line);
  }

  cut(line: number): void {
    this.#cuts.push({ line, unreadable: CUT });
  }

  /** The entries since the last call. */
  take(): readonly ListEntry[] {
    return [...(this.told?.take() ?? []), ...this.#cuts.splice(0)];
  }
}

function readerOf(root: string): SdnAdvanced | SdnPlain {
  const made = documents[root]?.();
  if (made !== undefined) return made;
  throw new Error(
    `its outermost element is ${root.slice(0, 40)}: take SDN_ADVANCED.XML (Sanctions) or SDN.XML (sdnList)`,
  );
}
