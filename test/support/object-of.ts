import { type ArchiveObject, type LoggedVerdict, objectSteps, type Position } from "../../src/archive/object.ts";
import { atOnce } from "../../src/kernel/async.ts";

/** The object that holds all of `verdicts`, which stay as they are. */
export function objectOf(verdicts: readonly LoggedVerdict[], position: Position): ArchiveObject {
  return atOnce(objectSteps([...verdicts], verdicts.length, position));
}
