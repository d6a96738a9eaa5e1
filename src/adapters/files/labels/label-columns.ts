import { misnamedAmong } from "../../../api/requests/misnamed-field.ts";
import { shortName } from "../../../api/requests/short-name.ts";
import { addBounded } from "../../../kernel/collections.ts";
import { labelColumns } from "../../../labels/import/label-row.ts";

export type LabelColumn = (typeof labelColumns)[number];

/** Columns that change the meaning of a row when they are lost. */
const decisive: ReadonlySet<string> = new Set<LabelColumn>(["chain", "address", "kind", "risk_level"]);
/** Words with a meaning of their own that are one letter away from `date` and `note`. */
const unrelated: ReadonlySet<string> = new Set(["data", "rate", "node"]);
/** Forms of names, each with the column that the name probably means. A form counts while its column is missing. */
const subjects: readonly (readonly [form: RegExp, column: LabelColumn])[] = [
  [/risk|severity|threat|danger/, "risk_level"],
  [/kind|categor|sanction|^type$/, "kind"],
];
/** A yes or no to an accusation. It counts beside `kind`, too, since a row of another kind would excuse its address. */
const flag = /^(?:is)?(?:sanction(?:s|ed)?|blocked|malicious)$/;

const columnByLetters = new Map<string, LabelColumn>(labelColumns.map((column) => [lettersOf(column), column]));
const misnamed = misnamedAmong(labelColumns);

/**
 * The column that a name means, in any case, with blanks, hyphens, underscores or none. Undefined for any other name.
 */
export const columnNamed: (name: string) => LabelColumn | undefined = addBounded((name) =>
  columnByLetters.get(lettersOf(name)),
);

/** The names that are not read, and are no slip of a read name. Empty names are left out. */
export function unreadAmong(names: readonly string[]): readonly string[] {
  return names.filter((name) => name.trim() !== "" && columnNamed(name) === undefined);
}

/**
 * Refuses names that leave the meaning of a row open. A risk that is not read would excuse its address.
 *
 * @param placeOf describes in a message the position of the name at an index.
 * @throws {Error} for a column that is named twice, and for a name that probably means a label column.
 */
export function refuseMisread(names: readonly string[], placeOf: (index: number) => string): void {
  const firsts = new Map<LabelColumn, number>();
  for (const [at, name] of names.entries()) {
    const column = columnNamed(name);
    if (column === undefined) continue;
    const first = firsts.get(column);
    if (first !== undefined) {
      throw new Error(`${column} is given twice, as ${placeOf(first)} and ${placeOf(at)}: take out one of them`);
    }
    firsts.set(column, at);
  }
  const given: ReadonlySet<string> = new Set(firsts.keys());
  for (const [at, name] of names.entries()) {
    const meant = columnNamed(name) === undefined ? meantBy(name, given) : undefined;
    if (meant === undefined) continue;
    const remedy = given.has(meant)
      ? `${meant} is read as well: say it there, and take this one out or give it another name`
      : `if it says ${meant}, name it ${meant}; if not, take it out or give it another name`;
    throw new Error(`${placeOf(at)} is not read: ${remedy}`);
  }
}

function meantBy(name: string, given: ReadonlySet<string>): string | undefined {
  const letters = lettersOf(name);
  if (flag.test(letters)) return "kind";
  const subject = subjects.find(([form, column]) => !given.has(column) && form.test(letters));
  if (subject !== undefined) return subject[1];
  if (unrelated.has(letters)) return undefined;
  const harmless = new Set([...given].filter((column) => !decisive.has(column)));
  return misnamed([name], harmless)?.meant;
}

/** Risk Level, risk-level, riskLevel and RISK_LEVEL -> risklevel. */
function lettersOf(name: string): string {
  return name.replaceAll(/[\s_-]+/g, "").toLowerCase();
}

/** The quoted form of a name for messages. */
export function quotedName(name: string): string {
  return `"${shortName(name)}"`;
}
