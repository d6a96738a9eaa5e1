/**
 * A worker with a real schema registry, Apicurio Registry, by Confluent's interface and by its own. Confluent's own
 * registry is under a licence that the tests do not use: its GUIDs and its answers to a refused login are tested
 * against a local server (test/unit/adapters/schema-registry).
 */
import { readFileSync } from "node:fs";
import avro from "avsc";
import { Kafka, type Message } from "kafkajs";
import { expect, onTestFinished } from "vitest";
import { Verdict } from "../../src/messages/verdict.ts";
import { startProxy } from "../servers/fault-proxy.ts";
import { sharedBootstrap } from "../servers/kafka-tests.ts";
import { addressEvent, produceOnce, quiet } from "../servers/records.ts";
import { registryTest, startRegistry } from "../servers/registry-server.ts";
import { type Read, readUntil, weirTopics } from "../servers/weir-topics.ts";
import { served } from "../support/served.ts";
import { run, start } from "../support/weir.ts";

const kafka = new Kafka({ ...quiet, brokers: [...sharedBootstrap] });
const TIMEOUT_MS = 240_000;
/** Records of Java's libraries. Source: tools/make/java/RegistryVectors.java. */
const made = JSON.parse(readFileSync("test/fixtures/registry-vectors.json", "utf8"));

const AVRO = {
  type: "record",
  name: "Event",
  fields: [
    ...["id", "type", "chain_id", "address"].map((name) => ({ name, type: "string" })),
    { name: "user_addresses", type: { type: "array", items: "string" } },
    { name: "note", type: "test.Note" },
  ],
};
const JSON_SCHEMA = '{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}';
const NOTE = { type: "record", name: "Note", namespace: "test", fields: [{ name: "n", type: "long" }] };

const registry: Record<string, avro.Type> = {};
avro.Type.forSchema(NOTE as avro.Schema, { registry });
const type = avro.Type.forSchema(AVRO as avro.Schema, { registry });
const inAvro = (i: number) => type.toBuffer({ ...JSON.parse(addressEvent(i)), note: { n: 4503599627370495 } });
const framed = (id: number, ...parts: Uint8Array[]) => {
  const frame = Buffer.alloc(5);
  frame.writeUInt32BE(id, 1);
  return Buffer.concat([frame, ...parts]);
};

const send = (topic: string, partition: number, message: Message) =>
  produceOnce(kafka, topic, [{ ...message, partition }]);
const verdictsOf = (read: readonly Read[]) =>
  read.map(({ value, headers, key }) => ({ verdict: Verdict.parse(JSON.parse(value)), headers, key }));
const on = (id: string) => (read: readonly Read[]) => verdictsOf(read).some(({ verdict }) => verdict.event_id === id);

registryTest(
  "a worker reads Avro, Protobuf, JSON Schema and JSON from one topic, and waits for a registry that is down",
  async () => {
    const server = await startRegistry();
    onTestFinished(() => server.close());
    const proxy = await startProxy({ target: { host: "127.0.0.1", port: server.port } });
    onTestFinished(() => proxy.close());
    await server.register("note", { schema: JSON.stringify(NOTE) });
    const note = [{ name: "test.Note", subject: "note", version: 1 }];
    const avroId = await server.register("avro-value", { schema: JSON.stringify(AVRO), references: note });
    const protoId = await server.register("proto-value", { schema: made.protobuf.schema, schemaType: "PROTOBUF" });
    const jsonId = await server.register("json-value", { schema: JSON_SCHEMA, schemaType: "JSON" });
    const later = { ...AVRO, doc: "a later version" };
    const laterId = await server.register("later-value", { schema: JSON.stringify(later), references: note });
    const topics = await weirTopics(kafka, sharedBootstrap, 2);
    const replies = `${topics.verdicts}.replies`;
    const env = {
      ...topics.env,
      ...(await served()),
      EVENT_FORMAT: "auto",
      SCHEMA_REGISTRY_URL: `http://127.0.0.1:${proxy.port}/apis/ccompat/v7`,
      KAFKA_PASS_HEADERS: "*",
      KAFKA_INPUT_KEY_AS: "header",
      VERDICT_FORMAT: "avro",
      KAFKA_REPLY_TOPICS: replies,
    };
    const early = await run(["worker"], env);
    expect(early.stderr).toContain("run weir doctor --create, or set SCHEMA_REGISTRY_AUTO_REGISTER=true");
    const doctor = async (own: object = {}) =>
      (await run(["doctor", "--create", "--partitions", "2"], { ...env, ...own })).stdout;
    const created = await doctor();
    expect(created).toContain("ok    schema registry  answers");
    expect(created).toContain(`ok    schema of verdicts (${topics.verdicts}.avro-value)  is registered now`);
    expect(await doctor()).toContain(`(${topics.verdicts}.avro-value)  is registered\n`);
    expect(await doctor({ VERDICT_FORMAT: "json-schema" })).toContain(".json-schema-value)  is registered now");
    const worker = start(["worker"], env);
    const live = topics.live;
    const headers = { tenant: "acme", kafka_correlationId: "c-7", other: "x", kafka_replyTopic: replies };
    await send(live, 0, { key: "wallet-7", value: framed(avroId, inAvro(1)), headers });
    await send(live, 0, { value: framed(protoId, Buffer.from([2, 2]), Buffer.from(made.protobuf.plain, "hex")) });
    await send(live, 0, { value: framed(jsonId, Buffer.from(addressEvent(3))) });
    await send(live, 0, { value: addressEvent(4), headers: { kafka_replyTopic: topics.deadLetters } });
    await send(live, 0, { value: framed(999_999, inAvro(5)) });

    const first = verdictsOf(await readUntil(kafka, topics.verdicts, ({ length }) => length === 5, "five verdicts"));
    const of = (id: string) => first.find(({ verdict }) => verdict.event_id === id);
    expect(of("event-1")).toMatchObject({
      verdict: { decision: "ALLOW", source: { topic: live, partition: 0, offset: "0" } },
      headers: { tenant: "acme", kafka_correlationId: "c-7", other: "x", "input-key": "wallet-7" },
    });
    expect(of(`${live}/0/1`)?.verdict).toMatchObject({ decision: "ALLOW", subject: { chain_id: "1" } });
    expect(JSON.stringify(of(`${live}/0/1`)?.verdict.ref)).toContain('"by_id":{"-9007199254740993":"x"}');
    expect(["event-3", "event-4"].map((id) => of(id)?.verdict.decision)).toEqual(["ALLOW", "ALLOW"]);
    const unknown = first.find(({ verdict }) => verdict.decision === "UNKNOWN")?.verdict;
    expect(unknown?.checks[0]?.error).toEqual({
      code: "EVENT_MALFORMED",
      detail: "the record names schema ids/999999, which is not in the registry",
    });

    const written = await readUntil(
      kafka,
      `${topics.verdicts}.avro`,
      ({ length }) => length === 5,
      "formatted verdicts",
    );
    const schemaId = written[0]?.bytes.readUInt32BE(1);
    const answer = await fetch(`${server.url}/ccompat/v7/schemas/ids/${schemaId}`);
    const { schema } = (await answer.json()) as { readonly schema: string };
    const verdictType = avro.Type.forSchema(JSON.parse(schema), { wrapUnions: "never" });
    const inFormat = ({ bytes }: Read) => verdictType.fromBuffer(bytes.subarray(5));
    expect(written.map((each) => inFormat(each).verdict_id).toSorted()).toEqual(
      first.map(({ verdict }) => verdict.verdict_id).toSorted(),
    );
    const replied = await readUntil(kafka, replies, ({ length }) => length === 1, "a reply");
    expect(replied.map((each) => inFormat(each).event_id)).toEqual(["event-1"]);
    expect(replied[0]?.headers).toMatchObject({ kafka_correlationId: "c-7", "weir-decision": "ALLOW" });

    await proxy.set({ mode: "refuse" });
    proxy.cut();
    await send(live, 0, { value: framed(laterId, inAvro(6)) });
    await worker.untilSaid(/the schema registry gives no schema: partitions that need a new schema wait/);
    await send(live, 1, { value: framed(avroId, inAvro(7)) });
    const seventh = await readUntil(kafka, topics.verdicts, on("event-7"), "a verdict of the other partition");
    expect(on("event-6")(seventh)).toBe(false);
    expect(verdictsOf(seventh).filter(({ verdict }) => verdict.decision === "UNKNOWN")).toHaveLength(1);
    const [, url = ""] = await worker.untilSaid(/"url":"(http:[^"]+)"/);
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([
      503,
      expect.stringContaining("the schema registry gives no answer"),
    ]);
    const metric = async (name: string) =>
      Number(new RegExp(`^${name}(?:{.*})? (\\S+)$`, "m").exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
    expect([await metric("weir_schema_registry_down"), await metric("weir_schemas_waiting")]).toEqual([1, 1]);

    await proxy.set({ mode: "pass" });
    await readUntil(kafka, topics.verdicts, on("event-6"), "a verdict once the registry is back");
    expect(await metric("weir_schema_registry_down")).toBe(0);
    worker.child.kill("SIGTERM");
    expect((await worker.ended).status).toBe(0);
  },
  TIMEOUT_MS,
);

registryTest(
  "a worker reads records of Apicurio's own serializers, with ids in the record and in headers",
  async () => {
    const server = await startRegistry();
    onTestFinished(() => server.close());
    await server.register("note", { schema: JSON.stringify(NOTE) });
    const note = [{ name: "test.Note", subject: "note", version: 1 }];
    await server.register("avro-value", { schema: JSON.stringify(AVRO), references: note });
    await server.register("proto-value", { schema: made.protobuf.schema, schemaType: "PROTOBUF" });
    /** The global id of the latest version, as Apicurio's serializers find it. */
    const globalId = async (artifact: string) => {
      const answer = await fetch(`${server.url}/registry/v2/groups/default/artifacts/${artifact}/meta`);
      const id = Buffer.alloc(8);
      id.writeBigUInt64BE(BigInt(((await answer.json()) as { readonly globalId: number }).globalId));
      return id;
    };
    const [avroId, protoId] = [await globalId("avro-value"), await globalId("proto-value")];
    const topics = await weirTopics(kafka, sharedBootstrap, 1);
    const worker = start(["worker"], {
      ...topics.env,
      ...(await served()),
      EVENT_FORMAT: "auto",
      SCHEMA_REGISTRY_URL: `${server.url}/registry/v2`,
      SCHEMA_REGISTRY_API: "apicurio",
      SCHEMA_REGISTRY_USE_ID: "globalId",
    });
    const proto = Buffer.from(made.protobuf.plain, "hex");
    await send(topics.live, 0, { value: Buffer.concat([Buffer.from([0]), avroId, inAvro(1)]) });
    await send(topics.live, 0, { value: inAvro(2), headers: { "apicurio.value.globalId": avroId } });
    const typed = { "apicurio.value.globalId": protoId, "apicurio.protobuf.type": "Event" };
    await send(topics.live, 0, { value: proto, headers: typed });
    const name = Buffer.concat([Buffer.from([7, 10, 5]), Buffer.from("Event")]);
    await send(topics.live, 0, { value: Buffer.concat([Buffer.from([0]), protoId, name, proto]) });

    const read = verdictsOf(await readUntil(kafka, topics.verdicts, ({ length }) => length === 4, "four verdicts"));
    expect(read.map(({ verdict }) => verdict.decision)).toEqual(["ALLOW", "ALLOW", "ALLOW", "ALLOW"]);
    for (const { headers } of read)
      expect(Object.keys(headers).filter((each) => each.startsWith("apicurio"))).toEqual([]);
    worker.child.kill("SIGTERM");
    expect((await worker.ended).status).toBe(0);
  },
  TIMEOUT_MS,
);
