import { MAX_JSON_DEPTH, shapeOf } from "../../kernel/json.ts";
import { UndecodableError } from "./json-text.ts";
import type { FramedValue } from "./wire-format.ts";

export type SchemaType = "AVRO" | "PROTOBUF" | "JSON";

/** A schema that another schema uses, under the name by which it is imported. */
export interface ReferencedSchema {
  readonly name: string;
  readonly text: string;
}

/** A schema as a registry holds it. */
export interface RegisteredSchema {
  readonly type: SchemaType;
  readonly text: string;
  /** All schemas that it uses, directly or not. A schema stands behind those that it uses itself. */
  readonly references: readonly ReferencedSchema[];
}

/** A schema that is ready to read records. */
export interface CompiledSchema {
  readonly type: SchemaType;
  /** The JSON of a record, at most `maxLength` characters. @throws {UndecodableError} */
  decode(frame: FramedValue, maxLength: number): Uint8Array;
}

/** Chosen: schemas of programs take some kilobytes. A schema with all references is bounded by it. */
export const MAX_SCHEMA_BYTES = 1_048_576;
/** Chosen: a schema of the size limit may compile for seconds; one with fewer values compiles within 0.1 s. */
const MAX_SCHEMA_VALUES = 20_000;

/** Refuses a schema in JSON that would take too long to compile, or would run deep. @throws {UndecodableError} */
export function boundSchema(text: string): void {
  const { depth, values } = shapeOf(text);
  if (depth > MAX_JSON_DEPTH) throw new UndecodableError(`is nested deeper than ${MAX_JSON_DEPTH} levels`);
  if (values > MAX_SCHEMA_VALUES) throw new UndecodableError(`has more than ${MAX_SCHEMA_VALUES} values`);
  refuseName(text);
}

/** A field of this name would replace the prototype of a JavaScript object, and no program has one. */
export function refuseName(text: string): void {
  if (/__proto__/.test(text)) throw new UndecodableError("names __proto__");
}
