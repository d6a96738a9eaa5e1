import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { startEmbeddedService } from "../../src/cli/screen/embedded-service.ts";
import { emptyFolder } from "../support/folder.ts";

const stopped = new Error("stopped");
const { PATH, HOME } = process.env;

test("an embedded service that is stopped while it starts ends at once", async () => {
  const stopping = new AbortController();
  const starting = startEmbeddedService({ PATH, HOME }, stopping.signal);

  stopping.abort(stopped);

  await expect(starting).rejects.toBe(stopped);
});

test("an embedded service that was stopped before its start is not started", async () => {
  await expect(startEmbeddedService({}, AbortSignal.abort(stopped))).rejects.toBe(stopped);
});

/** A command that prints signs of life for the given time, and listens afterwards. */
async function slowCommand(ms: number): Promise<string> {
  const file = path.join(await emptyFolder(), "slow.mjs");
  const text = `
    const signs = setInterval(() => process.send({ starting: true }), 100);
    setTimeout(() => { clearInterval(signs); process.send({ listening: "http://127.0.0.1:9" }); }, ${ms});
    process.once("disconnect", () => process.exit());
  `;
  await writeFile(file, text);
  return file;
}

test("a slow start is awaited as long as the service gives signs of life", async () => {
  const command = await slowCommand(8_000);

  const service = await startEmbeddedService({ PATH, HOME }, new AbortController().signal, {
    command,
    silentMs: 4_000,
  });
  await service.stop();

  expect(service.url).toBe("http://127.0.0.1:9");
});

test("a start without signs of life is given up", async () => {
  const command = path.join(await emptyFolder(), "silent.mjs");
  await writeFile(command, "setInterval(() => undefined, 1_000);");

  const starting = startEmbeddedService({ PATH, HOME }, new AbortController().signal, { command, silentMs: 500 });

  await expect(starting).rejects.toThrow("was silent for 0.5 s");
});

test("one that gives signs of life and never listens is given up, with what to do", async () => {
  const command = await slowCommand(2 ** 31 - 1);

  const starting = startEmbeddedService({ PATH, HOME }, new AbortController().signal, { command, startMs: 1_000 });

  await expect(starting).rejects.toThrow(
    "the embedded service still starts after 1 s: start it by itself with weir serve to see what it waits for, or name one that runs as SERVICE_URL",
  );
});
