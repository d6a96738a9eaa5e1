import { type CompiledSchema, MAX_SCHEMA_BYTES, type RegisteredSchema } from "./compiled-schema.ts";
import { UndecodableError } from "./json-text.ts";

/** Compiles a schema. Each format is loaded when the first schema needs it. @throws {UndecodableError} */
export async function compileSchema(schema: RegisteredSchema): Promise<CompiledSchema> {
  const bytes = [schema, ...schema.references].reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  if (bytes > MAX_SCHEMA_BYTES) throw new UndecodableError(`takes more than ${MAX_SCHEMA_BYTES} bytes`);
  const { type } = schema;
  if (type === "JSON") return { type, decode: ({ body }) => body };
  if (type === "AVRO") {
    const { compileAvro } = await import("./avro/avro-schema.ts");
    return compileAvro(schema);
  }
  const { compileProtobuf } = await import("./protobuf/protobuf-schema.ts");
  return compileProtobuf(schema);
}
