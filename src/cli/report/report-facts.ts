import type { RunConditions } from "../screen/run-conditions.ts";
import type { VerdictsRead } from "./read-verdicts.ts";
import type { ReportRow } from "./report-row.ts";
import type { Totals } from "./totals/totals.ts";

/** A file that belongs to the report, signed by its hash. */
export interface SignedFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A set of lists that verdicts name. Undefined lists: the folder does not hold the set. */
export interface NamedListSet {
  readonly id: string;
  readonly lists: readonly { readonly name: string; readonly sha256: string; readonly date: string }[] | undefined;
}

/** Everything that the page shows. */
export interface ReportFacts {
  readonly folder: string;
  /** RFC 3339. */
  readonly madeAt: string;
  /** Name and version of the software that made the report. */
  readonly madeBy: string;
  readonly read: VerdictsRead;
  readonly totals: Totals;
  /** Verdicts that a later revision replaces. */
  readonly interim: number;
  /** The most severe rows that need a person, and the number of all. */
  readonly rows: readonly ReportRow[];
  readonly needPerson: number;
  /** The names of the columns that came with the rows. */
  readonly refNames: readonly string[];
  readonly run: RunConditions | undefined;
  readonly listSets: readonly NamedListSet[];
  readonly files: readonly SignedFile[];
}
