import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { emptyFolder } from "../../support/folder.ts";
import { ShownSecrets } from "../../support/shown-secrets.ts";

test("a secret is found wherever it stands, by the setting that it came from", async () => {
  const folder = await emptyFolder();
  const file = path.join(folder, "keys");
  await writeFile(file, "-----BEGIN PRIVATE KEY-----\nfirst-of-file\nsecond-of-file\n");
  const secrets = new ShownSecrets({
    SERVICE_API_KEYS: "one-of-two,two-of-two",
    KAFKA_TLS_KEY_FILE: file,
    KAFKA_SASL_PASSWORD_FILE: path.join(folder, "missing"),
    AWS_SECRET_ACCESS_KEY: "short",
    SERVICE_URL: "http://127.0.0.1:1",
  });

  expect(secrets.in("two-of-two in a line with second-of-file")).toEqual(["SERVICE_API_KEYS", "KAFKA_TLS_KEY_FILE"]);
  expect(secrets.in("-----BEGIN PRIVATE KEY-----, short, http://127.0.0.1:1, missing")).toEqual([]);
});
