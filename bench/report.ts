/**
 * `weir report` over many verdicts: its time and peak memory, for a run with few rows that need a person, and for a run
 * in which each row does. `node bench/report.ts [verdicts]`
 */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const verdicts = Number(process.argv[2] ?? 1_000_000);
const real = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
const START = Date.parse("2026-01-01T00:00:00Z");
/** Addresses in a request, as a batch has. */
const BATCH = 50;

const folder = mkdtempSync(path.join(tmpdir(), "weir-bench-report-"));
try {
  for (const [name, share] of [
    ["1 of 100 rows needs a person", 0.01],
    ["each row needs a person", 1],
  ] as const) {
    const dir = path.join(folder, String(share));
    await writeRun(dir, share);
    const mib = statSync(path.join(dir, "verdicts.ndjson")).size / 2 ** 20;
    const started = performance.now();
    // GNU time is not everywhere, so the process reports its own peak.
    const script = `process.on("exit", () => console.error("peak " + process.resourceUsage().maxRSS)); await import(${JSON.stringify(path.resolve("src/cli/main.ts"))});`;
    const { stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", script, "report", dir], {
      encoding: "utf8",
    });
    const seconds = (performance.now() - started) / 1_000;
    const peak = Number(/peak (\d+)/.exec(stderr)?.[1]) / 1_024;
    if (status !== 0) throw new Error(stderr);
    const sizes = ["report.html", "report.csv", "report.xlsx"].map((file) =>
      (statSync(path.join(dir, file)).size / 2 ** 20).toFixed(1),
    );
    console.log(
      `${name}: ${verdicts} verdicts (${mib.toFixed(0)} MiB) in ${seconds.toFixed(1)} s, peak ${peak.toFixed(0)} MiB; html ${sizes[0]}, csv ${sizes[1]}, xlsx ${sizes[2]} MiB`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}

async function writeRun(dir: string, share: number): Promise<void> {
  const { mkdir } = await import("node:fs/promises");
  await mkdir(dir);
  const out = createWriteStream(path.join(dir, "verdicts.ndjson"));
  const every = Math.round(1 / share);
  for (let line = 1; line <= verdicts; line++) {
    if (!out.write(`${JSON.stringify(verdictOf(line, line % every === 0))}\n`)) await once(out, "drain");
  }
  out.end();
  await once(out, "close");
}

function verdictOf(line: number, isFlagged: boolean) {
  const address = isFlagged
    ? `0xd9a1${line.toString(16).padStart(30, "0")}853a91`
    : `0x${line.toString(16).padStart(40, "0")}`;
  const at = new Date(START + Math.floor(line / BATCH) * 100).toISOString();
  const flag = isFlagged ? "1" : "0";
  return {
    schema: "weir.verdict/1",
    verdict_id: line.toString(16).padStart(13, "0").padEnd(64, "7"),
    event_id: `payments.csv/${line}`,
    tenant: `desk-${line % 20}`,
    revision: 0,
    decision: isFlagged ? (["BLOCK", "UNKNOWN", "WARN"][line % 3] ?? "BLOCK") : "ALLOW",
    reasons: isFlagged
      ? [
          {
            check: "poisoning",
            finding: "mimics_user",
            severity: "BLOCK",
            detail: `looks like ${real}, which the user knows`,
            resembles: real,
          },
        ]
      : [
          {
            check: "poisoning",
            finding: "no_signal",
            severity: "INFO",
            detail: "no configured signal; not a guarantee of safety",
          },
        ],
    subject: { type: "address", address, chain_id: "1", user_addresses: [real] },
    required_checks: ["poisoning"],
    checks: [
      {
        check: "poisoning",
        outcome: "ok",
        requested_at: at,
        answered_at: at,
        cached: false,
        attempts: 1,
        data: { target: { is_poisoning: flag, mimics_user: flag, mimics_exchange: "0", chain_id: "1", address } },
      },
    ],
    policy: { id: "default", sha256: "2e80874c4e1a07304eb77d50f970c6ec78ee6857096bdfa59008bdeafd7a8d93" },
    source: { file: "payments.csv", line },
    ref: { amount: String(line), desk: `desk ${line % 20}` },
    decided_at: at,
    software: "weir/0.1.0",
  };
}
