import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { DoctorEnv, readEnv } from "../../../../../src/cli/config/config.ts";
import { quotaOwner } from "../../../../../src/cli/wiring/quota/quota-owner.ts";
import { keyMark } from "../../../../../src/worker/rate-limit/sharing/key-mark.ts";
import { emptyFolder } from "../../../../support/folder.ts";

const url = "http://127.0.0.1:8080";
const ownerOf = (env: Readonly<Record<string, string>>) => quotaOwner(keyMark(url, "k1"), readEnv(DoctorEnv, env));

test("a quota belongs to the key and the service with which it was learned", async () => {
  expect(await ownerOf({ SERVICE_URL: url, SERVICE_API_KEY: "k1" })).toBe("this key");
  expect(await ownerOf({ SERVICE_URL: `${url}/`, SERVICE_API_KEY: " k1" })).toBe("this key");
  expect(await ownerOf({ SERVICE_URL: url, SERVICE_API_KEY: "k9" })).toBe("another key");
  expect(await ownerOf({ SERVICE_URL: "http://127.0.0.1:8081", SERVICE_API_KEY: "k1" })).toBe("another service");
});

test("a key in a file counts as one in a variable", async () => {
  const file = path.join(await emptyFolder(), "key");
  await writeFile(file, "k1\n");

  expect(await ownerOf({ SERVICE_URL: url, SERVICE_API_KEY_FILE: file })).toBe("this key");
});

test("without the service and the key the owner is unknown, and another service is recognised without a key", async () => {
  expect(await ownerOf({})).toBe("unknown");
  expect(await ownerOf({ SERVICE_API_KEY: "k1" })).toBe("unknown");
  expect(await ownerOf({ SERVICE_URL: url })).toBe("unknown");
  expect(await ownerOf({ SERVICE_URL: url, SERVICE_API_KEY_FILE: "no/such/file" })).toBe("unknown");
  expect(await ownerOf({ SERVICE_URL: "http://example.com", SERVICE_API_KEY: "k1" })).toBe("unknown");
  expect(await ownerOf({ SERVICE_URL: "http://127.0.0.1:8081" })).toBe("another service");
});
