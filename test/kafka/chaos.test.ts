import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { runChaos } from "../chaos/run.ts";
import { readSettings, shortRun } from "../chaos/settings.ts";
import { clusterTest } from "../servers/kafka-tests.ts";

clusterTest(
  "whatever fails in between, every event gets its true verdict, and none a wrong one",
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "weir-chaos-"));
    const { summary, faults } = await runChaos(readSettings(process.env, shortRun), folder, () => undefined);
    expect(faults.slice(0, 20), `logs in ${folder}\n${summary.join("\n")}`).toEqual([]);
  },
  600_000,
);
