import { UnreadableError } from "../../worker/answers/service-errors.ts";
import { MAX_SCHEMA_BYTES, type ReferencedSchema, type RegisteredSchema, type SchemaType } from "./compiled-schema.ts";
import { UndecodableError } from "./json-text.ts";
import { RegistryLacksError } from "./registry-http.ts";
import { refText, type SchemaRef } from "./wire-format.ts";

/** Requests to a registry. */
export interface RegistryRequests {
  json(path: string, signal: AbortSignal): Promise<unknown>;
  text(path: string, signal: AbortSignal): Promise<string>;
}

/** The interface of a registry: Confluent's, which others serve as well, or Apicurio's own. */
export type RegistryApi = "confluent" | "apicurio";

/** Chosen: schemas of programs refer to a handful of others. */
const MAX_REFERENCES = 64;

/** A schema, and the paths of the schemas that it uses. */
interface Node {
  readonly type: SchemaType;
  readonly text: string;
  readonly uses: readonly Use[];
}

interface Use {
  readonly name: string;
  readonly path: string;
}

/** Reads schemas with all schemas that they use. One call sends one request for each of them. */
export class RegistryClient {
  readonly #http: RegistryRequests;
  readonly #api: RegistryApi;
  readonly #isApicurio3: boolean;

  /** @param baseUrl whose version of the interface decides a path of Apicurio's. */
  constructor(http: RegistryRequests, api: RegistryApi, baseUrl: string) {
    this.#http = http;
    this.#api = api;
    this.#isApicurio3 = /\/v3$/.test(baseUrl);
  }

  /**
   * @throws {UndecodableError} for a schema that is not there or cannot be used, whatever is sent again.
   * @throws {UnauthorizedError | UnavailableError} which say nothing of the schema.
   */
  async schema(ref: SchemaRef, signal: AbortSignal): Promise<RegisteredSchema> {
    const path = this.#api === "confluent" ? `/schemas/${refText(ref)}` : `/ids/${refText(ref)}`;
    const { type, text, uses } = await this.#node(path, signal, "");
    const found = new Map<string, ReferencedSchema>();
    await this.#follow(uses, found, Buffer.byteLength(text), signal);
    return { type, text, references: [...found.values()] };
  }

  /** Adds the used schemas before those that use them. Each is read once, so a circle ends. */
  async #follow(
    uses: readonly Use[],
    found: Map<string, ReferencedSchema>,
    bytes: number,
    signal: AbortSignal,
    begun = new Set<string>(),
  ): Promise<void> {
    for (const { name, path } of uses) {
      if (begun.has(path)) continue;
      begun.add(path);
      if (begun.size > MAX_REFERENCES) throw new UndecodableError(`uses more than ${MAX_REFERENCES} other schemas`);
      const node = await this.#node(path, signal, `uses ${name}, which `);
      const all = [...found.values()].reduce((sum, { text }) => sum + text.length, bytes + node.text.length);
      if (all > MAX_SCHEMA_BYTES) throw new UndecodableError(`takes more than ${MAX_SCHEMA_BYTES} bytes`);
      await this.#follow(node.uses, found, bytes, signal, begun);
      found.set(path, { name, text: node.text });
    }
  }

  async #node(path: string, signal: AbortSignal, subject: string): Promise<Node> {
    try {
      return await (this.#api === "confluent" ? this.#confluent(path, signal) : this.#apicurio(path, signal));
    } catch (thrown) {
      if (thrown instanceof RegistryLacksError) throw new UndecodableError(`${subject}${thrown.message}`);
      if (thrown instanceof UnreadableError && thrown.context["isTooLarge"] === true)
        throw new UndecodableError(`${subject}takes more than ${MAX_SCHEMA_BYTES} bytes`);
      throw thrown;
    }
  }

  async #confluent(path: string, signal: AbortSignal): Promise<Node> {
    const answer = objectOf(await this.#http.json(path, signal));
    const { schema: text, schemaType = "AVRO" } = answer;
    if (typeof text !== "string") throw new UnreadableError("the answer holds no schema");
    const uses = listOf(answer["references"]).map((each): Use => {
      const { name, subject, version } = objectOf(each);
      const path = `/subjects/${encodeURIComponent(String(subject))}/versions/${encodeURIComponent(String(version))}`;
      return { name: String(name), path: `${path}?deleted=true` };
    });
    return { type: typeOf(schemaType), text, uses };
  }

  /** Apicurio answers with the schema itself, and does not say its type everywhere. */
  async #apicurio(path: string, signal: AbortSignal): Promise<Node> {
    const isById = path.startsWith("/ids/");
    const text = await this.#http.text(isById || !this.#isApicurio3 ? path : `${path}/content`, signal);
    const references = await this.#http.json(`${path}/references`, signal);
    const uses = listOf(references).map((each): Use => {
      const { name, groupId, artifactId, version } = objectOf(each);
      const [group, artifact, at] = [groupId ?? "default", artifactId, version].map((part) =>
        encodeURIComponent(String(part)),
      );
      return { name: String(name), path: `/groups/${group}/artifacts/${artifact}/versions/${at}` };
    });
    return { type: recognizedType(text), text, uses };
  }
}

function typeOf(name: unknown): SchemaType {
  if (name === "AVRO" || name === "PROTOBUF" || name === "JSON") return name;
  throw new UndecodableError(`has the type ${String(name).slice(0, 40)}, and Avro, Protobuf and JSON Schema are read`);
}

const AVRO_TYPES: ReadonlySet<unknown> = new Set(["record", "enum", "fixed", "map"]);

/** A Protobuf schema is no JSON. An Avro schema has one of Avro's own types, which JSON Schema lacks. */
function recognizedType(text: string): SchemaType {
  try {
    const value: unknown = JSON.parse(text);
    const isAvro = Array.isArray(value) || AVRO_TYPES.has(objectOf(value)["type"]);
    return isAvro ? "AVRO" : "JSON";
  } catch {
    return "PROTOBUF";
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
