/**
 * `npm test`: every check and every test, in one run. Each tool counts as one test beside vitest's own. The last line
 * is `N passed, N failed`, or with `, N skipped`. The exit status is 0 only when nothing failed.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const root = path.resolve(import.meta.dirname, "..");
const bin = path.join(root, "node_modules", ".bin");
const reports = mkdtempSync(path.join(tmpdir(), "weir-test-"));
/** Files in which the suites on real servers name their server, or the reason for none. */
const kafkaReport = path.join(reports, "kafka.txt");
const s3Report = path.join(reports, "s3.txt");
const total: Counts = { passed: 0, failed: 0, skipped: 0 };
/** A line for each failure: the end of the output alone must be enough. */
const failures: string[] = [];

function run(command: string, args: readonly string[]): number {
  const env = {
    ...process.env,
    WEIR_KAFKA_REPORT: kafkaReport,
    WEIR_S3_REPORT: s3Report,
    PATH: `${bin}${path.delimiter}${process.env["PATH"] ?? ""}`,
  };
  return (
    spawnSync(path.join(bin, command), args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], env }).status ?? 1
  );
}

/** A tool that only passes or fails. */
function check(name: string, command: string, args: readonly string[]): void {
  process.stdout.write(`\n== ${name}\n`);
  if (run(command, args) === 0) total.passed++;
  else {
    total.failed++;
    failures.push(name);
  }
}

/** Folders with tests over much input: branch coverage would take several times as long. */
const LAWS = ["test/property", "test/simulation"];

/** The exit status decides: a worker that runs out of memory fails no test, and passes none. */
function runSuite(project: string, args: readonly string[] = [], name = project): void {
  process.stdout.write(`\n== ${name} tests\n`);
  const report = path.join(reports, `${name}.json`);
  const status = run("vitest", [
    "run",
    "--project",
    project,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...args,
  ]);
  const counts = read(report);
  total.passed += counts.passed;
  total.skipped += counts.skipped;
  total.failed += counts.failed > 0 || status === 0 ? counts.failed : 1;
  failures.push(...counts.failures.map((failure) => `${name}: ${failure}`));
  if (counts.failed === 0 && status !== 0) failures.push(`${name}: vitest ended with ${status}, no test failed`);
  if (counts.passed + counts.failed + counts.skipped === 0) {
    total.failed++;
    failures.push(`${name}: no test ran`);
  }
}

/** The fields of vitest's report that are read. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

function read(report: string): Counts & { readonly failures: readonly string[] } {
  try {
    const parsed: Report = JSON.parse(readFileSync(report, "utf8"));
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = parsed;
    const skipped = numPendingTests + numTodoTests;
    return { passed: numPassedTests, failed: numFailedTests, skipped, failures: failuresIn(parsed) };
  } catch {
    // Without a report vitest itself did not get that far, as its exit status shows.
    return { passed: 0, failed: 0, skipped: 0, failures: [] };
  }
}

/** A file that could not be loaded has no failed test, only a message. */
function failuresIn({ testResults }: Report): string[] {
  return testResults.flatMap(({ name, message, status, assertionResults }) => {
    const file = path.relative(root, name);
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0 && status === "failed") return [`${file}: ${message.split("\n", 1)[0]}`];
    return failed.map(({ fullName, failureMessages: [first = ""] }) => `${file}: ${fullName}\n${firstLines(first)}`);
  });
}

const MESSAGE_LINES = 12;

/** A property's message has its seed and the smallest failing input in its first lines. */
function firstLines(message: string): string {
  return message
    .split("\n", MESSAGE_LINES)
    .map((line) => `    ${line.slice(0, 300)}`)
    .join("\n");
}

function reported(report: string, server: string): string {
  return existsSync(report) ? readFileSync(report, "utf8") : `${server}: the suite did not start\n`;
}

check("lint", "biome", ["check", "."]);
check("types", "tsc", ["--noEmit", "-p", "."]);
check("unused code and dependencies", "knip", []);
runSuite("unit", ["--coverage", ...LAWS.flatMap((folder) => ["--exclude", `${folder}/**`])]);
runSuite("unit", LAWS, "property and simulation");
runSuite("integration");
runSuite("kafka");
runSuite("s3");
const kafka = reported(kafkaReport, "Kafka");
const s3 = reported(s3Report, "S3");
rmSync(reports, { recursive: true, force: true });
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
if (failures.length > 0) process.stdout.write(`\nFailed:\n${failures.join("\n")}\n`);
process.stdout.write(`\n${kafka}${s3}${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exitCode = total.failed === 0 ? 0 : 1;
