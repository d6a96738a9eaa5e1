import { describe, expect, test } from "vitest";
import { readEnv } from "../../../../src/cli/config/config.ts";
import { KafkaEnv } from "../../../../src/cli/config/env/kafka-env.ts";
import { RegistryEnv } from "../../../../src/cli/config/env/registry-env.ts";
import { kafkaSettings } from "../../../../src/cli/config/kafka-settings.ts";
import { registrySettings } from "../../../../src/cli/config/registry-settings.ts";
import { checkConfig } from "../../../../src/cli/config-command/check-config.ts";
import { checkRegistry } from "../../../../src/cli/doctor/check-registry.ts";
import { formattedVerdicts, openVerdictFormat } from "../../../../src/cli/wiring/open-verdict-format.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { verdictAt } from "../../../fakes/verdicts.ts";
import { answering, listen, type Received, sendJson } from "../../../support/http-server.ts";

type Env = Readonly<Record<string, string>>;
const never = new AbortController().signal;

async function formatsOf(env: Env) {
  const kafka = readEnv(KafkaEnv, { KAFKA_BROKERS: "localhost:9092", VERDICT_FORMAT: "avro", ...env });
  const registry = await registrySettings(readEnv(RegistryEnv, env));
  return { registry, formats: await formattedVerdicts(kafka.VERDICT_FORMAT, await kafkaSettings(kafka), registry) };
}

interface Answers {
  readonly lookup?: number;
  readonly register?: number;
  readonly compatible?: boolean;
  readonly failures?: number;
}

/** A registry with the given statuses, which fails `failures` times at first. */
async function registryOf({ lookup = 404, register = 200, compatible = true, failures = 0 }: Answers) {
  const received: Received[] = [];
  const url = await listen(
    answering(({ url: path }, response) => {
      if (received.length <= failures) return sendJson(response, 503, {});
      if (path.startsWith("/compatibility/")) return sendJson(response, 200, { is_compatible: compatible });
      const known = path.endsWith("/versions") ? register : lookup;
      const status = path.startsWith("/subjects/") ? known : 404;
      sendJson(response, status, status === 200 ? { id: 7 } : { error_code: 40403 });
    }, received),
  );
  return { url, received };
}

async function opened(answers: Answers, env: Env = {}, isRegistered = true) {
  const { url, received } = await registryOf(answers);
  const { formats } = await formatsOf({ SCHEMA_REGISTRY_URL: url, ...env });
  if (formats === undefined) throw new Error("no format");
  const log = new FakeLog();
  const deps = { clock: new FakeClock(), random: () => 1, log, signal: never };
  return { received, log, topic: await openVerdictFormat(formats, isRegistered, deps) };
}

test("a schema that is registered is found, and no other one is registered", async () => {
  const { topic, received } = await opened({ lookup: 200 });

  expect(topic.topic).toBe("screening.verdicts.avro");
  expect(received.map(({ url }) => url)).toEqual(["/subjects/screening.verdicts.avro-value"]);
  expect([...topic.encoder.encode(verdictAt(1), Buffer.from("{}"))].slice(0, 5)).toEqual([0, 0, 0, 0, 7]);
  const { schema, schemaType } = JSON.parse(received[0]?.body ?? "");
  expect([schemaType, JSON.parse(schema).name]).toEqual(["AVRO", "Verdict"]);
});

test("verdicts in JSON Schema are the JSON behind the id of their schema", async () => {
  const { topic, received } = await opened({}, { VERDICT_FORMAT: "json-schema", TOPIC_VERDICTS_FORMATTED: "v" });

  expect(received.map(({ url }) => url)).toEqual(["/subjects/v-value", "/subjects/v-value/versions"]);
  expect(topic.encoder.encode(verdictAt(1), Buffer.from("{}"))).toEqual(Buffer.from([0, 0, 0, 0, 7, 0x7b, 0x7d]));
  const { schema, schemaType } = JSON.parse(received[1]?.body ?? "");
  expect([schemaType, JSON.parse(schema).$schema]).toEqual(["JSON", "http://json-schema.org/draft-07/schema#"]);
});

test("a registry that is down is waited for, and the log says so", async () => {
  const { topic, log } = await opened({ lookup: 200, failures: 3 });

  expect(topic.topic).toBe("screening.verdicts.avro");
  expect(log.lines.map(({ fields }) => fields)).toEqual(
    [1, 2, 3].map((attempt) => ({ reason: "answered 503", attempt })),
  );
});

test("a schema that is missing or not compatible ends the start with what to do", async () => {
  await expect(opened({}, {}, false)).rejects.toThrow(/run weir doctor --create, or set SCHEMA_REGISTRY_AUTO_REGISTER/);
  await expect(opened({ register: 409 })).rejects.toThrow(
    /is not compatible with an earlier version: name another topic/,
  );
});

test.each<[Env, RegExp]>([
  [{}, /VERDICT_FORMAT avro needs SCHEMA_REGISTRY_URL/],
  [
    {
      SCHEMA_REGISTRY_URL: "http://127.0.0.1:1",
      SCHEMA_REGISTRY_API: "apicurio",
      SCHEMA_REGISTRY_USE_ID: "globalId",
    },
    /needs SCHEMA_REGISTRY_API=confluent/,
  ],
  [{ VERDICT_FORMAT: "json", TOPIC_VERDICTS_FORMATTED: "v" }, /TOPIC_VERDICTS_FORMATTED is set, and VERDICT_FORMAT/],
  [{ KAFKA_REPLY_TOPICS: "screening.verdicts" }, /one topic is named twice/],
])("a conflict of the settings %j", async (env, message) => {
  await expect(formatsOf(env)).rejects.toThrow(message);
});

test("weir config check names the missing registry without a network", async () => {
  const checks = await checkConfig("worker", { KAFKA_BROKERS: "localhost:9092", VERDICT_FORMAT: "avro" });

  expect(checks.find(({ check }) => check === "schema registry")).toMatchObject({
    ok: false,
    detail: "bad settings: VERDICT_FORMAT avro needs SCHEMA_REGISTRY_URL",
  });
});

describe("weir doctor", () => {
  test.each<[string, Answers, boolean, boolean, RegExp]>([
    ["a registered schema is well", { lookup: 200 }, false, true, /^is registered$/],
    ["a missing schema fails", {}, false, false, /^is not registered$/],
    ["a missing schema is registered where that is wanted", {}, true, true, /^is registered now$/],
    ["an incompatible schema fails", { compatible: false }, true, false, /not compatible/],
  ])("%s", async (_, answers, create, ok, detail) => {
    const { url, received } = await registryOf(answers);
    const { registry, formats } = await formatsOf({ SCHEMA_REGISTRY_URL: url });
    const checks = await checkRegistry(registry, never, formats && { formats, create });

    expect(checks[1]).toMatchObject({ ok, detail: expect.stringMatching(detail) });
    const isRegistered = received.some(({ url: path }) => path.endsWith("/versions"));
    expect(isRegistered).toBe(create && ok);
  });
});
