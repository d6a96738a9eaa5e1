import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { DoctorEnv, readEnv } from "../../../../src/cli/config/config.ts";
import { checkQuota } from "../../../../src/cli/doctor/check-quota.ts";
import { keyMark } from "../../../../src/worker/rate-limit/sharing/key-mark.ts";
import { emptyFolder } from "../../../support/folder.ts";

const configOf = (env: Readonly<Record<string, string>>) => readEnv(DoctorEnv, { KAFKA_BROKERS: "kafka:9092", ...env });
const said = async (env: Readonly<Record<string, string>>, workers?: number) =>
  (await checkQuota(configOf(env), workers)).detail;

test("a configured quota is shown with its pace", async () => {
  expect(await checkQuota(configOf({ SERVICE_QUOTA: "51/1s" }), 2)).toEqual({
    check: "quota",
    ok: true,
    detail:
      "given: 51/1s, used at 50 a second by one that has it for itself (the counting method of the service is unknown: Weir sends one request less than a window allows, which every counting method accepts)",
    remedy: "",
  });
});

test("without a file each process learns it", async () => {
  expect(await said({})).toBe("learned by each process anew");
  expect(await said({}, 1)).toBe("learned by each process anew");
});

test("several workers without a quota are a warning", async () => {
  expect(await checkQuota(configOf({ SERVICE_QUOTA_FILE: "quota.json" }), 3)).toEqual({
    check: "quota",
    ok: "warn",
    detail:
      "each of 3 workers learns it for itself: they use it up, with 1 to 9 % of requests answered 429, and unequal parts",
    remedy: "set SERVICE_QUOTA to what the key may make in all: they share it by TOPIC_CONTROL",
  });
});

test("a learned quota is read from its file", async () => {
  const file = path.join(await emptyFolder(), "quota.json");
  expect(await said({ SERVICE_QUOTA_FILE: file })).toBe(`nothing is learned yet in ${file}`);
  const key = keyMark("http://127.0.0.1:8080", "a key");
  const kept = { schema: "weir.quota/2", key, requests_per_second: 49.2512, burst: 4.6, window_ms: 1_034 };
  await writeFile(file, JSON.stringify(kept));
  const ofService = (SERVICE_URL: string, SERVICE_API_KEY = "a key") =>
    said({ SERVICE_URL, SERVICE_API_KEY, SERVICE_QUOTA_FILE: file });
  expect(await ofService("http://127.0.0.1:8080")).toBe(
    "learned: 49.3 requests a second may be sent, of a quota of 47.3 to 57.6, 5 more at once, counted over 1.03 s or so, as far as that shows",
  );
  expect(await ofService("http://127.0.0.1:8081")).toBe("learned: of another service, so anew");
  expect(await ofService("http://127.0.0.1:8080", "k9")).toBe("learned: of another key, so anew");
  expect(await said({ SERVICE_URL: "http://127.0.0.1:8080", SERVICE_QUOTA_FILE: file })).toMatch(
    /^learned: 49.3 requests.* \(its owner is not known without SERVICE_URL and SERVICE_API_KEY\)$/,
  );
});

test("an unusable file is a warning with the remedy, and not a missing quota", async () => {
  const file = path.join(await emptyFolder(), "quota.json");
  await writeFile(file, '{"x":');

  expect(await checkQuota(configOf({ SERVICE_QUOTA_FILE: file }), undefined)).toEqual({
    check: "quota",
    ok: "warn",
    detail: `${file} cannot be read: it does not hold what weir.quota/2 does`,
    remedy: "remove it, or name another file as SERVICE_QUOTA_FILE: what is learned is written over it",
  });
});
