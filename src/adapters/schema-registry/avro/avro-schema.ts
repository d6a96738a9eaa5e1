import avro from "avsc";
import { toError } from "../../../kernel/errors.ts";
import { boundSchema, type CompiledSchema, type RegisteredSchema } from "../compiled-schema.ts";
import { UndecodableError } from "../json-text.ts";
import { DecimalType, UuidType } from "./avro-logical-types.ts";
import { avroJson } from "./avro-reader.ts";

/** Compiles an Avro schema, after the schemas that define the types it names. @throws {UndecodableError} */
export function compileAvro({ text, references }: RegisteredSchema): CompiledSchema {
  // A name such as constructor must not find a member of every object.
  const registry = Object.create(null) as Record<string, avro.Type>;
  for (const each of references) parse(each.text, registry);
  const type = parse(text, registry);
  return {
    type: "AVRO",
    decode: ({ body }, maxLength) => Buffer.from(avroJson(type, body, maxLength)),
  };
}

function parse(text: string, registry: Record<string, avro.Type>): avro.Type {
  boundSchema(text);
  try {
    const logicalTypes = { decimal: DecimalType, uuid: UuidType };
    return avro.Type.forSchema(JSON.parse(text), { registry, logicalTypes, wrapUnions: "always" });
  } catch (thrown) {
    if (thrown instanceof UndecodableError) throw thrown;
    throw new UndecodableError(`is no Avro schema: ${toError(thrown).message.slice(0, 200)}`);
  }
}
