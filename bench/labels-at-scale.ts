/**
 * A million labels: `node bench/labels-at-scale.ts`. It prints the time to read them into a book, and the longest pause
 * during a reload. It also prints the cost of a batch of 1000 with these labels. Seeded.
 */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { LabelFiles } from "../src/adapters/files/labels/label-files.ts";
import { PoisoningBatchRequest } from "../src/api/schemas/address-poisoning.ts";
import { bundled } from "../src/cli/program/package-root.ts";
import { seededRandom } from "../src/kernel/retry.ts";
import { LabelStore } from "../src/labels/label-store.ts";
import { screenBatch } from "../src/service/address-poisoning/screen.ts";
import { LabelBook } from "../src/service/labels/label-book.ts";

const LABELS = 1_000_000;
const random = seededRandom(20_261_122);
const digits = () =>
  Array.from({ length: 5 }, () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0"),
  );
const evmAddress = () => `0x${digits().join("")}`;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };

/**
 * The longest time without other work in the thread: by the clock, which other work on the machine stretches, and in
 * processor time of this thread, which is exact.
 */
class Pauses {
  clockMs = 0;
  cpuMs = 0;
  #isOn = true;

  constructor() {
    void this.#watch();
  }

  async #watch(): Promise<void> {
    let [clock, cpu] = [performance.now(), process.threadCpuUsage()];
    while (this.#isOn) {
      await setImmediate();
      const { user, system } = process.threadCpuUsage(cpu);
      this.clockMs = Math.max(this.clockMs, performance.now() - clock);
      this.cpuMs = Math.max(this.cpuMs, (user + system) / 1000);
      [clock, cpu] = [performance.now(), process.threadCpuUsage()];
    }
  }

  async stop(): Promise<void> {
    await setImmediate();
    this.#isOn = false;
  }
}

async function measured<T>(what: string, work: () => Promise<T>): Promise<T> {
  const pauses = new Pauses();
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const made = await work();
  const { user, system } = process.cpuUsage(cpu);
  const wall = performance.now() - start;
  await pauses.stop();
  const figures = `wall ${wall.toFixed(0)} ms, CPU ${((user + system) / 1000).toFixed(0)} ms`;
  const longest = `longest pause ${pauses.clockMs.toFixed(0)} ms, of CPU ${pauses.cpuMs.toFixed(0)} ms`;
  const memory = `RSS ${(process.memoryUsage.rss() / 2 ** 20).toFixed(0)} MiB`;
  console.log(`${what.padEnd(34)} ${figures}, ${longest}, ${memory}`);
  return made;
}

/** The text of the rows is garbage after the write: kept, it would burden the garbage collector. */
async function writeRows(file: string): Promise<void> {
  const rows = Array.from(
    { length: LABELS },
    (_, i) => `1,${evmAddress()},label ${i},${i % 10 === 0 ? "token" : "protocol"}`,
  );
  await writeFile(file, `chain,address,name,kind\n${rows.join("\n")}\n`);
}

const folder = await mkdtemp(path.join(tmpdir(), "weir-labels-"));
try {
  const file = path.join(folder, "million.csv");
  await writeRows(file);
  const files = new LabelFiles([...bundled.labels, file], bundled.labels);
  const store = await measured("open: read and make the book", () =>
    LabelStore.open(files, LabelBook.steps, silent, () => setImmediate()),
  );
  for (const round of [1, 2, 3]) await measured(`reload ${round}`, () => store.reload());
  const lists = await files.load();
  await measured("the book alone, at once", async () => LabelBook.of(lists));
  for (const [users, targets] of [
    [1, 999],
    [500, 500],
  ] as const) {
    const items = (count: number) => Array.from({ length: count }, () => ({ chain_id: "1", address: evmAddress() }));
    const times: number[] = [];
    for (let round = 0; round < 300; round++) {
      const text = JSON.stringify({ user_addresses: items(users), target_addresses: items(targets) });
      const request = PoisoningBatchRequest.parse(JSON.parse(text));
      const cpu = process.cpuUsage();
      screenBatch(request, store.book);
      const { user, system } = process.cpuUsage(cpu);
      times.push((user + system) / 1000);
    }
    const sorted = times.slice(50).sort((a, b) => a - b);
    const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2);
    console.log(`${users} users + ${targets} targets: CPU median ${at(0.5)} ms, p95 ${at(0.95)} ms`);
  }
} finally {
  await rm(folder, { recursive: true });
}
