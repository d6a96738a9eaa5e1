import protobuf from "protobufjs";
import { toError } from "../../../kernel/errors.ts";
import { type CompiledSchema, type RegisteredSchema, refuseName } from "../compiled-schema.ts";
import { BoundedJson, UndecodableError } from "../json-text.ts";
import { writeMessage } from "./protobuf-json.ts";
import { messageOf } from "./protobuf-message.ts";

/** Names of fields stay as they are written in the schema: those of events have underscores. */
const OPTIONS = { keepCase: true } as const;

/** Compiles the files of a Protobuf schema. @throws {UndecodableError} */
export function compileProtobuf({ text, references }: RegisteredSchema): CompiledSchema {
  try {
    boundStatements([text, ...references.map((each) => each.text)]);
    const [root, own] = [new protobuf.Root(), new protobuf.Root()];
    const imports = new Set(
      [...references.map((each) => each.text), text].flatMap((each) => parse(each, root).imports),
    );
    for (const file of imports) root.addJSON(protobuf.common.get(file)?.nested ?? {});
    root.resolveAll();
    // The numbers of messages count those of the main file alone, which may share a package with its imports.
    const scope = parse(text, own).scope;
    return {
      type: "PROTOBUF",
      decode: (frame, maxLength) => {
        const { name, body } = messageOf(frame, scope);
        return decode(root.lookupType(name), body, maxLength);
      },
    };
  } catch (thrown) {
    if (thrown instanceof UndecodableError) throw thrown;
    throw new UndecodableError(`is no Protobuf schema: ${toError(thrown).message.slice(0, 200)}`);
  }
}

/** Chosen: half a second. The library takes time in the square of the fields of a message. */
const MAX_STATEMENTS = 2_000;

/** @throws {UndecodableError} */
function boundStatements(texts: readonly string[]): void {
  const statements = texts.reduce((sum, text) => sum + (text.match(/[;{]/g)?.length ?? 0), 0);
  if (statements > MAX_STATEMENTS) throw new UndecodableError(`has more than ${MAX_STATEMENTS} statements`);
}

function parse(text: string, root: protobuf.Root) {
  refuseName(text);
  const { package: name, imports = [], weakImports = [] } = protobuf.parse(text, root, OPTIONS);
  const scope = name === undefined ? root : root.lookup(name);
  if (!(scope instanceof protobuf.Namespace)) throw new UndecodableError("holds no message");
  return { imports: [...imports, ...weakImports], scope };
}

/** The library bounds the nesting, and reads no bytes past the end. */
function decode(type: protobuf.Type, body: Uint8Array, maxLength: number): Uint8Array {
  const message = readMessage(type, body);
  const out = new BoundedJson(maxLength);
  writeMessage(type, message, out);
  return Buffer.from(out.text);
}

function readMessage(type: protobuf.Type, body: Uint8Array): protobuf.Message {
  try {
    return type.decode(body);
  } catch (thrown) {
    throw new UndecodableError(`is no message ${type.name}: ${toError(thrown).message.slice(0, 200)}`);
  }
}
