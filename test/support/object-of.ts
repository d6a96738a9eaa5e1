import { type ArchiveObject, type LoggedVerdict, objectSteps, type Position } from "../../src/archive/object.ts";
import { atOnce } from "../../src/kernel/async.ts";

/** The object with all of `verdicts`, which are not changed. */
export function objectOf(verdicts: readonly LoggedVerdict[], position: Position): ArchiveObject {
  return atOnce(objectSteps([...verdicts], verdicts.length, position));
}
