import type { ListEntry } from "../../../../labels/import/list-entry.ts";
import type { ListSource } from "../formats/list-source.ts";
import { SdnAdvanced } from "./sdn-advanced.ts";
import { SdnPlain } from "./sdn-plain.ts";
import { MAX_TEXT, type XmlListener, XmlReader } from "./xml-reader.ts";

/** The reader of each of OFAC's documents, by the outermost element. */
const documents: Readonly<Record<string, () => SdnAdvanced | SdnPlain>> = {
  Sanctions: () => new SdnAdvanced(),
  sdnList: () => new SdnPlain(),
};

const CUT = `row: text longer than ${MAX_TEXT} characters is read up to there: list addresses behind them by hand`;

/** OFAC's lists in XML: SDN_ADVANCED.XML, and the older SDN.XML. The consolidated lists have the same form. */
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

/** Passes the elements on to the reader that the outermost element selects. */
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
