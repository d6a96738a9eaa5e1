import { guessFormat } from "./formats/guess-format.ts";
import { ListFile } from "./formats/list-file.ts";
import { formatContents, type LabelFormat } from "./label-format.ts";

/** Formats that a label file may have itself. The fault of the file is more precise for these formats. */
const alike: ReadonlySet<LabelFormat> = new Set(["csv", "address-list"]);

/** The remedy for a published list that `setting` names directly. Undefined for any other file. */
export async function importAdvice(file: string, setting: string): Promise<string | undefined> {
  const what = whatIs(await headOf(file));
  if (what === undefined) return undefined;
  if (what.format === undefined) return `it looks like ${what.text}, and import that by weir labels import`;
  const command = `weir labels import --format ${what.format} ${file} --out NEW.csv`;
  return `${what.text}: run ${command}, and name NEW.csv in ${setting}`;
}

interface Told {
  readonly text: string;
  /** Undefined where no importer reads the file. */
  readonly format?: LabelFormat;
}

function whatIs(head: string): Told | undefined {
  const guess = guessFormat(head);
  if (guess === undefined) return maybe(head.trimStart());
  if ("foreign" in guess) return { text: guess.foreign };
  const { format } = guess;
  return alike.has(format) ? undefined : { format, text: `it looks like ${formatContents[format]}` };
}

/** XML and lines of JSON that no format claims. */
function maybe(text: string): Told | undefined {
  if (text.startsWith("<")) return { format: "ofac-xml", text: "it is XML; if it is a list of OFAC" };
  const isLines = /^\{[^\n]*\}\r?\n\{/.test(text);
  return isLines ? { format: "opensanctions", text: "it is NDJSON; if it is a list of OpenSanctions" } : undefined;
}

async function headOf(file: string): Promise<string> {
  try {
    const list = await ListFile.at(file);
    const head = await list.head();
    await list.close();
    return head;
  } catch {
    // The file cannot be read, as the original fault already states.
    return "";
  }
}
