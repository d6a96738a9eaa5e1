/**
 * `weir backtest` beside the cost of reading alone: `node bench/backtest.ts DIR [rounds]`.
 *
 * DIR is a folder of tools/make/make-archive.ts. The yardstick unpacks each object and parses each line as JSON, and does
 * nothing else. Both run in turn, in processes of their own.
 */

import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";

const [dir, rounds = "5"] = process.argv.slice(2);
if (dir === undefined) throw new Error("usage: bench/backtest.ts DIR [rounds]");

if (rounds === "yardstick") {
  let lines = 0;
  const begun = performance.now();
  for (const file of globSync("**/*.gz", { cwd: path.join(dir, "archive") }).sort()) {
    const text = gunzipSync(readFileSync(path.join(dir, "archive", file))).toString("utf8");
    for (let from = 0, end = text.indexOf("\n"); end !== -1; from = end + 1, end = text.indexOf("\n", from)) {
      JSON.parse(text.slice(from, end));
      lines++;
    }
  }
  process.stdout.write(JSON.stringify({ lines, ms: performance.now() - begun, ...usage() }));
} else if (rounds === "backtest") {
  const { backtest } = await import("../src/cli/backtest/backtest.ts");
  const begun = performance.now();
  const write = process.stdout.write.bind(process.stdout);
  let report = "";
  process.stdout.write = ((text: string) => {
    report += text;
    return true;
  }) as typeof process.stdout.write;
  await backtest(dir, { policy: "data/policy.json", json: true }, {}, new AbortController().signal);
  process.stdout.write = write;
  const { compared, left_out } = JSON.parse(report);
  const lines = compared + left_out;
  process.stdout.write(JSON.stringify({ lines, ms: performance.now() - begun, ...usage() }));
} else {
  const results: Record<"yardstick" | "backtest", Measured[]> = { yardstick: [], backtest: [] };
  for (let round = 0; round < Number(rounds); round++)
    for (const side of ["yardstick", "backtest"] as const) {
      const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];
      const output = execFileSync(process.execPath, [import.meta.filename, dir, side], { stdio, encoding: "utf8" });
      results[side].push(JSON.parse(output));
    }
  const middle = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const perSecond = (side: keyof typeof results) => middle(results[side].map(({ lines, ms }) => (1000 * lines) / ms));
  for (const side of ["yardstick", "backtest"] as const) {
    const mib = Math.max(...results[side].map((each) => each.mib));
    const cpu = middle(results[side].map(({ cpuMs, lines }) => (cpuMs * 1000) / lines));
    process.stdout.write(
      `${side}: ${Math.round(perSecond(side))} lines/s, ${cpu.toFixed(1)} CPU microseconds a line, at most ${mib} MiB\n`,
    );
  }
  process.stdout.write(
    `ratio: ${(perSecond("backtest") / perSecond("yardstick")).toFixed(2)} (median of ${rounds} rounds)\n`,
  );
}

interface Measured {
  readonly lines: number;
  readonly ms: number;
  readonly cpuMs: number;
  readonly mib: number;
}

function usage(): { readonly cpuMs: number; readonly mib: number } {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, mib: Math.round(process.resourceUsage().maxRSS / 1024) };
}
