import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { noDialect, openDialect, scalesOf } from "../../../../src/cli/service-connection/open-dialect.ts";
import { ServiceClientEnv } from "../../../../src/cli/service-connection/service-client-env.ts";
import { wholeInterface } from "../../../../src/worker/answers/service-reach.ts";
import { parseServiceLevels } from "../../../../src/worker/answers/service-scales.ts";

async function opened(text: string) {
  const folder = await mkdtemp(path.join(tmpdir(), "weir-dialect-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, "dialect.yaml");
  await writeFile(file, text);
  return openDialect(ServiceClientEnv.parse({ SERVICE_DIALECT: file }));
}
function levels(text: string) {
  const read = parseServiceLevels(text);
  if (!read.ok) throw new Error(read.detail);
  return read.value;
}
const unset = { SERVICE_LEVELS: levels(""), SERVICE_TAXES: undefined };

test("`interface` needs no file, and the environment gives the scales", async () => {
  expect(await openDialect(ServiceClientEnv.parse({}))).toBe(noDialect);
  const given = { SERVICE_LEVELS: levels("low=INFO"), SERVICE_TAXES: "percent" as const };
  expect(scalesOf(noDialect, given)).toEqual({ ...levels("low=INFO"), taxes: "percent" });
});

test("a file gives headers, paths and scales", async () => {
  const dialect = await opened(`
schema: weir.dialect/1   # how the vendor differs
auth: { header: Authorization, scheme: Bearer }
paths:
  token-security: /v1/tokens
levels: { low: INFO, 70-100: BLOCK, "trust:0-2": WARN }
taxes: fraction
`);
  expect(dialect.dialect.headersWith("k")).toEqual({ Authorization: "Bearer k" });
  expect(dialect.dialect.pathOf("tokenSecurity")).toBe("/v1/tokens");
  expect(scalesOf(dialect, unset)).toEqual({ ...levels("low=INFO,70-100=BLOCK,trust:0-2=WARN"), taxes: "fraction" });
});

test("a file lists the operations that the service lacks, and the limits of a request", async () => {
  const limited = await opened("schema: weir.dialect/1\nlimits: { items: 200, transactions: 4 }\n");
  expect(limited.reach).toEqual({ lacks: new Set(), hasBatches: true, maxItems: 200, maxTransactions: 4 });
  const lacking = await opened("schema: weir.dialect/1\noperations: [address-poisoning, address-classify]\n");
  expect(lacking.reach).toEqual({
    ...wholeInterface,
    lacks: new Set(["solana-emulate", "token-security", "transaction-security", "evm-transaction-security"]),
  });
});

test("scales in the file and in the environment are refused", async () => {
  const dialect = await opened("schema: weir.dialect/1\nlevels: { low: INFO }\ntaxes: percent\n");
  expect(() => scalesOf(dialect, { ...unset, SERVICE_LEVELS: levels("trust:a=INFO") })).toThrow(
    "SERVICE_LEVELS is set, and the file of SERVICE_DIALECT has levels: unset one of them",
  );
  expect(() => scalesOf(dialect, { ...unset, SERVICE_TAXES: "percent" })).toThrow("SERVICE_TAXES is set");
});

test.each([
  ["", "the file: must be an object"],
  ["schema: weir.dialect/1\nheader: x\n", "the file: header: unknown field; did you mean headers?"],
  ["schema: [\n", "cannot read"],
  ["schema: &a weir.dialect/1\nlevels: { x: *a }\n", "cannot read"],
  ["schema: weir.dialect/1\nlevels: { 9-1: INFO }\n", 'levels: "9-1=INFO": the range ends before it begins'],
])("%j is refused: %s", async (text, detail) => {
  await expect(opened(text)).rejects.toThrow(detail);
});

test("an absent file is named", async () => {
  const config = ServiceClientEnv.parse({ SERVICE_DIALECT: "/no/such.yaml" });
  await expect(openDialect(config)).rejects.toThrow("SERVICE_DIALECT: cannot read /no/such.yaml: ENOENT");
});
