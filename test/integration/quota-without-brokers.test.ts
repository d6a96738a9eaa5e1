import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { emptyFolder } from "../support/folder.ts";
import { deadUrl } from "../support/http-server.ts";
import { served } from "../support/served.ts";
import { run } from "../support/weir.ts";

test("a run without its brokers reports it once, and continues with its share of the quota", async () => {
  const folder = await emptyFolder();
  const input = path.join(folder, "addresses.txt");
  await writeFile(input, "0xd9A1C3788D81257612E2581A6ea0aDa244853a91\n");
  const { host } = new URL(await deadUrl());
  const env = { ...(await served()), KAFKA_BROKERS: host, SERVICE_QUOTA: "600/1s" };

  const { status, stdout, stderr } = await run(
    [
      "screen",
      input,
      "--chain",
      "eth",
      "--user",
      "0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91",
      "--out",
      path.join(folder, "out"),
    ],
    env,
  );

  expect(stdout).toMatch(/^BLOCK +1$/m);
  expect(status).toBe(0);
  expect(stderr.match(/Weir cannot read the control topic/g)).toEqual(["Weir cannot read the control topic"]);
  expect(stderr.match(/Weir cannot write to the control topic/g)).toEqual(["Weir cannot write to the control topic"]);
});
