import type { Verdict } from "../../../messages/verdict.ts";
import type { VerdictEncoder } from "../../../worker/ports.ts";
import type { RegistryHttp } from "../registry-http.ts";
import { RegistryLacksError } from "../registry-http.ts";

/** The schema of verdicts in a registry. */
export interface VerdictSubject {
  /** The subject of a topic's values. Source: Confluent, "Subject Name Strategy": TopicNameStrategy. */
  readonly subject: string;
  readonly schema: string;
  readonly schemaType: "AVRO" | "JSON";
}

const PREFIX_BYTES = 5;

/** Frames verdicts with the id of their schema. */
export function framedEncoder(id: number, body: (verdict: Verdict, json: Uint8Array) => Uint8Array): VerdictEncoder {
  return {
    encode(verdict, json) {
      const bytes = body(verdict, json);
      const framed = Buffer.allocUnsafe(PREFIX_BYTES + bytes.byteLength);
      framed[0] = 0;
      framed.writeUInt32BE(id, 1);
      framed.set(bytes, PREFIX_BYTES);
      return framed;
    },
  };
}

/** The id of the schema; undefined when the registry lacks it. @throws as `RegistryHttp.json` */
export async function verdictSchemaId(
  http: RegistryHttp,
  { subject, ...schema }: VerdictSubject,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    return idOf(await http.json(`/subjects/${encodeURIComponent(subject)}`, signal, schema));
  } catch (thrown) {
    if (thrown instanceof RegistryLacksError) return undefined;
    throw thrown;
  }
}

/** @throws {RegistryRefusedError} for a schema that is not compatible with the subject's earlier ones. */
export async function registerVerdictSchema(
  http: RegistryHttp,
  { subject, ...schema }: VerdictSubject,
  signal: AbortSignal,
): Promise<number> {
  const id = idOf(await http.json(`/subjects/${encodeURIComponent(subject)}/versions`, signal, schema));
  if (id === undefined) throw new Error("the registry answers without an id");
  return id;
}

/** Whether the schema may follow the latest one of its subject. A subject without a schema takes any. */
export async function isCompatible(
  http: RegistryHttp,
  { subject, ...schema }: VerdictSubject,
  signal: AbortSignal,
): Promise<boolean> {
  const path = `/compatibility/subjects/${encodeURIComponent(subject)}/versions/latest`;
  try {
    const answer = await http.json(path, signal, schema);
    return typeof answer === "object" && answer !== null && Reflect.get(answer, "is_compatible") === true;
  } catch (thrown) {
    if (thrown instanceof RegistryLacksError) return true;
    throw thrown;
  }
}

function idOf(answer: unknown): number | undefined {
  const id: unknown = typeof answer === "object" && answer !== null ? Reflect.get(answer, "id") : undefined;
  return Number.isSafeInteger(id) ? Number(id) : undefined;
}
