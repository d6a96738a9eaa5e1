import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** The allowed imports between folders. A folder may always import itself. ARCHITECTURE.md shows the same table. */
const layers: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  chains: ["kernel"],
  labels: ["kernel", "chains"],
  api: ["kernel", "chains"],
  messages: ["kernel", "chains", "labels", "api"],
  policy: ["kernel", "chains", "api", "messages"],
  worker: ["kernel", "chains", "labels", "api", "messages", "policy"],
  archive: ["kernel", "messages"],
  "evm-analysis": ["kernel", "chains"],
  service: ["kernel", "chains", "labels", "api", "evm-analysis"],
  adapters: ["kernel", "chains", "labels", "api", "messages", "policy", "worker", "archive", "evm-analysis", "service"],
  cli: [
    ...[
      "kernel",
      "chains",
      "labels",
      "api",
      "messages",
      "policy",
      "worker",
      "archive",
      "evm-analysis",
      "service",
      "adapters",
    ],
  ],
};

/** Each library is imported in one folder only, so that a replacement touches one folder. */
const vendors: Readonly<Record<string, RegExp>> = {
  zod: /^src\/(api|messages|policy|cli)\//,
  "@scure/base": /^src\/chains\//,
  "hash-wasm": /^src\/chains\//,
  fastify: /^src\/service\/http\//,
  undici: /^src\/adapters\/http\//,
  "p-queue": /^src\/adapters\/(http|s3)\//,
  bottleneck: /^src\/adapters\/bottleneck\//,
  "@aws-sdk/client-s3": /^src\/adapters\/s3\//,
  "prom-client": /^src\/adapters\/prometheus\//,
  kafkajs: /^src\/adapters\/kafka\//,
  "aws-msk-iam-sasl-signer-js": /^src\/adapters\/kafka\//,
  avsc: /^src\/adapters\/schema-registry\//,
  protobufjs: /^src\/adapters\/schema-registry\//,
  pino: /^src\/adapters\/logging\//,
  "csv-parse": /^src\/adapters\/files\//,
  yaml: /^src\/adapters\/files\//,
  "hyparquet-writer": /^src\/adapters\/parquet\//,
  saxes: /^src\/adapters\/files\//,
  fflate: /^src\/adapters\/xlsx\//,
  viem: /^src\/adapters\/viem\//,
  evmole: /^src\/adapters\/evmole\//,
  "@ethereumjs/common": /^src\/adapters\/ethereumjs\//,
  "@ethereumjs/evm": /^src\/adapters\/ethereumjs\//,
  "@ethereumjs/statemanager": /^src\/adapters\/ethereumjs\//,
  "@ethereumjs/util": /^src\/adapters\/ethereumjs\//,
  litesvm: /^src\/adapters\/solana\//,
  "@solana/kit": /^src\/adapters\/solana\//,
  commander: /^src\/cli\/(program|completion)\//,
};

/** Built-in modules of Node: files, sockets and processes belong to the shell. */
const builtins = /^src\/(kernel|adapters|cli)\//;

const files = globSync("src/**/*.ts").map((file) => file.split(path.sep).join("/"));

function specifiers(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const found = text.matchAll(/\bfrom\s+"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|\bimport\s+"([^"]+)"/g);
  return [...found].map(([, from, dynamic, bare]) => from ?? dynamic ?? bare ?? "");
}

/** "@scure/base" of "@scure/base", "csv-parse" of "csv-parse/sync". */
function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

test("the scan sees the tree", () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap(specifiers).length).toBeGreaterThan(100);
});

test.each(files)("%s keeps to its layer and its vendors", (file) => {
  const [, layer = ""] = file.split("/");
  expect(Object.keys(layers), `${file} lies in no known layer`).toContain(layer);

  for (const specifier of specifiers(file)) {
    if (specifier.startsWith(".")) {
      const [, target = ""] = path.posix.join(path.posix.dirname(file), specifier).split("/");
      expect([layer, ...(layers[layer] ?? [])], `${file} imports ${specifier}`).toContain(target);
    } else if (specifier.startsWith("node:")) {
      expect(file, `${file} imports ${specifier}`).toMatch(builtins);
    } else {
      expect(file, `${file} imports ${specifier}`).toMatch(vendors[packageOf(specifier)] ?? /^nowhere/);
    }
  }
});
