import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { emptyFolder } from "../support/folder.ts";
import { answering, listen, sendJson } from "../support/http-server.ts";
import { KEY, service } from "../support/service.ts";
import { run, start } from "../support/weir.ts";

const nobody = { KAFKA_BROKERS: "127.0.0.1:1" };

test("weir doctor reports what is wrong and what to do, and fails", async () => {
  const { status, stdout, stderr } = await run(["doctor"], nobody);

  expect([status, stderr]).toEqual([1, ""]);
  expect(stdout.trimEnd().split("\n")).toEqual([
    "ok    encryption  none, on this machine",
    "FAIL  broker 127.0.0.1:1 (KAFKA_BROKERS)  nothing listens there  -> check that the broker runs and that the port is right",
    "FAIL  topics  no broker to ask  -> see to the brokers first",
    "ok    quota  learned by each process anew",
    "ok    service  skipped: SERVICE_URL is not set",
    "ok    bucket  skipped: S3_BUCKET is not set",
  ]);
});

test("weir doctor sends the service a request with the key", async () => {
  const app = service();
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const linesOnService = async (key: string) =>
    (await run(["doctor"], { ...nobody, SERVICE_URL: url, SERVICE_API_KEY: key })).stdout
      .trimEnd()
      .split("\n")
      .slice(4, -1);

  try {
    expect(await linesOnService(KEY)).toEqual([
      "ok    service  takes the key and answers a question",
      expect.stringMatching(/^warn {2}operation solana-emulate {2}.*unsupported chainId: solana/),
      expect.stringMatching(
        /^warn {2}operation token-security, operation address-classify {2}.*unsupported chainId: 1/,
      ),
      "ok    operation transaction-security  answers a question: ALLOW",
      "ok    operation evm-transaction-security  answers a question: WARN",
      "ok    operation address-poisoning  answers a question: ALLOW",
      "ok    lookalikes  flags an imitation of a known address",
      expect.stringMatching(/^ok {4}clock {2}(agrees with|1 s ahead of) the service's$/),
    ]);
    expect(await linesOnService("hunter2hunter2")).toEqual([
      expect.stringMatching(
        /^FAIL {2}service {2}the service answered 401: the API key that was sent is not known \(code 401, status Unknown API key\) {2}-> check SERVICE_API_KEY or SERVICE_API_KEY_FILE$/,
      ),
      expect.stringMatching(/^ok {4}clock {2}/),
    ]);
  } finally {
    await app.close();
  }
});

test("weir doctor checks each operation that a dialect states, and refuses scales that are given twice", async () => {
  const asked: string[] = [];
  const flags = { is_poisoning: "0", mimics_user: "0", mimics_exchange: "0" };
  const inputs = { user_address_input: "", token_address_input: "" };
  const url = await listen(
    answering(({ method, url: at, body }, response) => {
      asked.push(`${method} ${at}`);
      const { address, target_addresses: targets = [] } = JSON.parse(body);
      const one = { target_address: flags, token_address: {}, target_address_input: address, ...inputs };
      const many = { target_addresses: targets.map((each: object) => ({ ...each, ...flags })), token_addresses: [] };
      const data = address === undefined ? many : one;
      if (at === "/poisoning") sendJson(response, 200, { code: "0", status: "ok", data });
      else sendJson(response, 404, {});
    }),
  );
  const dialect = path.join(await emptyFolder(), "vendor.yaml");
  const text = "schema: weir.dialect/1\npaths: { address-poisoning: /poisoning, token-security: /tokens }\n";
  await writeFile(dialect, `${text}operations: [address-poisoning, token-security]\ntaxes: percent\n`);
  const env = { ...nobody, SERVICE_URL: url, SERVICE_API_KEY: KEY, SERVICE_DIALECT: dialect };
  const { status, stdout } = await run(["doctor"], env);
  const twice = await run(["doctor"], { ...env, SERVICE_TAXES: "percent" });

  const lines = stdout.split("\n").filter((line) => / (service|operation) /.test(line));
  expect([status, asked]).toEqual([1, ["POST /poisoning", "POST /tokens", "POST /poisoning", "POST /poisoning"]]);
  expect(lines).toEqual([
    `ok    service  takes the key and answers a question, asked as ${dialect} says`,
    "ok    operation solana-emulate  not asked: SERVICE_DIALECT leaves it out",
    expect.stringMatching(
      `^FAIL  operation token-security  the service answered 404.*  -> leave the operation out of operations in ${dialect}, or correct paths.token-security there$`,
    ),
    "ok    operation transaction-security  not asked: SERVICE_DIALECT leaves it out",
    "ok    operation evm-transaction-security  not asked: SERVICE_DIALECT leaves it out",
    "ok    operation address-poisoning  answers a question: ALLOW",
    "ok    operation address-classify  not asked: SERVICE_DIALECT leaves it out",
  ]);
  expect(twice.stdout).toContain(
    "FAIL  service  SERVICE_TAXES is set, and the file of SERVICE_DIALECT has taxes: unset one of them",
  );
  expect(asked).toHaveLength(4);
});

test("weir doctor refuses an answer that the worker would refuse, and names the URL", async () => {
  const data = {
    target_address: { is_poisoning: "0", mimics_user: "0", mimics_exchange: "0" },
    ...{ token_address: {}, target_address_input: "", user_address_input: "", token_address_input: "" },
  };
  const another = await listen(
    answering((_request, response) => sendJson(response, 200, { code: "0", status: "ok", data })),
  );
  const nowhere = await listen(answering((_request, response) => sendJson(response, 404, {})));
  const page = await listen(answering((_request, response) => response.end("<html>")));
  const dialect = path.join(await emptyFolder(), "vendor.yaml");
  await writeFile(dialect, "schema: weir.dialect/1\npaths: { address-poisoning: /v1/risk }\n");
  const lineOf = async (SERVICE_URL: string, own: Record<string, string> = {}) =>
    (await run(["doctor"], { SERVICE_URL, SERVICE_API_KEY: KEY, ...own })).stdout
      .split("\n")
      .find((line) => line.includes("  service  "));

  expect(await lineOf(another)).toMatch(/^FAIL {2}service {2}the answer echoes another address than was asked/);
  expect(await lineOf(page)).toMatch(
    /^FAIL {2}service {2}the answer is not application\/json {2}-> see that SERVICE_URL/,
  );
  expect(await lineOf(nowhere)).toContain("is SERVICE_URL its base, without /v2/svc?");
  const renamed = await lineOf(nowhere, { SERVICE_DIALECT: dialect });
  expect(renamed).toContain("is SERVICE_URL its base, and /v1/risk the path behind it?");
  expect(renamed).not.toContain("/v2/svc");
});

test("weir doctor checks the configured nodes, and shows only the hosts of their URLs", async () => {
  const url = await listen(
    answering(({ body }, response) => sendJson(response, 200, { id: JSON.parse(body).id, result: "0x38" })),
  );
  const { host } = new URL(url);
  const urls = JSON.stringify({ bsc: `${url}/hunter2-hunter2`, eth: `${url}/?key=hunter2-hunter2` });
  const { status, stdout } = await run(["doctor"], { ...nobody, EVM_RPC_URLS: urls });

  expect(status).toBe(1);
  expect(stdout).not.toContain("hunter2");
  expect(stdout.trimEnd().split("\n").slice(5, -1)).toEqual([
    expect.stringMatching(
      `^ok    node ${host} \\(chain 56, 1\\) of EVM_RPC_URLS  is of chain 56, answered in \\d+ ms$`,
    ),
    expect.stringMatching(
      `^FAIL  node ${host} \\(chain 1, 1\\) of EVM_RPC_URLS  is of chain 56, answered in \\d+ ms  -> name it under that chain in EVM_RPC_URLS$`,
    ),
  ]);
});

test("weir doctor checks the settings that are present, and reports that Kafka has none", async () => {
  const { status, stdout } = await run(["doctor"]);
  const creating = await run(["doctor", "--create"]);

  expect([status, stdout.split("\n")]).toEqual([
    0,
    [
      "warn  brokers  skipped: KAFKA_BROKERS is not set  -> name them for weir worker, archive, enqueue and replay; weir screen and serve need none",
      "ok    quota  learned by each process anew",
      "ok    service  skipped: SERVICE_URL is not set",
      "ok    bucket  skipped: S3_BUCKET is not set",
      "",
    ],
  ]);
  expect([creating.status, creating.stderr]).toEqual([
    1,
    "weir: bad settings: KAFKA_BROKERS: must name the brokers to create topics on\n",
  ]);
});

test("weir doctor names the faulty variable", async () => {
  const { status, stderr } = await run(["doctor"], { KAFKA_BROKERS: "hunter2" });

  expect(status).toBe(1);
  expect(stderr).toMatch(/^weir: bad settings: KAFKA_BROKERS \(entry 1\): must be host:port/);
  expect(stderr).not.toContain("hunter2");
});

test("weir doctor --quota states the maximum number of requests, sends no more, and invents no result", async () => {
  const app = service();
  const url = await app.listen({ host: "127.0.0.1", port: 0 });

  try {
    const { status, stdout } = await run(["doctor", "--quota", "12"], { SERVICE_URL: url, SERVICE_API_KEY: KEY });

    expect(status).toBe(1);
    expect(stdout.trimEnd().split("\n")).toEqual([
      `asks ${url} up to 12 times within 20 min 0 s as fast as the service accepts: other clients of the key wait meanwhile`,
      expect.stringMatching(
        /^warn {2}quota {2}not found out, none was met so far: 12 requests in \d+ s, 0 of them refused {2}-> allow more requests, as --quota 12000: /,
      ),
    ]);
  } finally {
    await app.close();
  }
});

test("weir doctor --quota tells a refused key from a quota", async () => {
  const app = service();
  const url = await app.listen({ host: "127.0.0.1", port: 0 });

  try {
    const { status, stderr } = await run(["doctor", "--quota", "12"], { SERVICE_URL: url, SERVICE_API_KEY: "hunter2" });

    expect(status).toBe(1);
    expect(stderr).toContain("401");
    expect(stderr).not.toContain("hunter2");
  } finally {
    await app.close();
  }
});

test("weir doctor --quota reports its partial result when it is stopped", async () => {
  const refusals = Promise.withResolvers<void>();
  let asked = 0;
  const url = await listen(
    answering((_, response) => {
      asked++;
      if (asked === 3) refusals.resolve();
      sendJson(response, 429, { code: "429", status: "error", message: "Rate limit exceeded" });
    }),
  );
  const running = start(["doctor", "--quota"], { SERVICE_URL: url, SERVICE_API_KEY: KEY });
  await refusals.promise;
  running.child.kill("SIGINT");

  const { status, stdout, stderr } = await running.ended;
  expect(status).toBe(130);
  expect(stderr).not.toContain("goes on");
  expect(stdout.trimEnd().split("\n")).toEqual([
    `asks ${url} up to 12000 times within 20 min 0 s as fast as the service accepts: other clients of the key wait meanwhile`,
    expect.stringMatching(
      /^warn {2}quota {2}stopped, not found out: 0 requests a second were taken \(\d+ requests in \d+ s, \d+ of them refused, nothing but 429s in the last \d+ s\) {2}-> nothing is kept of it: the same command begins anew$/,
    ),
  ]);
});

test("weir doctor refuses --quota-minutes without a measurement", async () => {
  const { status, stderr } = await run(["doctor", "--quota-minutes", "5"], nobody);

  expect([status, stderr]).toEqual([
    1,
    "weir: --quota-minutes needs --quota: add --quota, or leave --quota-minutes out\n",
  ]);
});

test("weir doctor --quota refuses more minutes than a timer holds", async () => {
  const { status, stderr } = await run(["doctor", "--quota", "--quota-minutes", "99999"], nobody);

  expect(status).toBe(1);
  expect(stderr).toContain("The value must be at most 1440.");
});
