import { expect, test } from "vitest";
import { startEmbeddedService } from "../../src/cli/embedded-service.ts";

const stopped = new Error("stopped");

test("an embedded service that is stopped while it starts is gone, and nobody waits for it", async () => {
  const stopping = new AbortController();
  const { PATH, HOME } = process.env;
  const starting = startEmbeddedService({ PATH, HOME }, stopping.signal);

  stopping.abort(stopped);

  await expect(starting).rejects.toBe(stopped);
});

test("one that was stopped before is not started", async () => {
  await expect(startEmbeddedService({}, AbortSignal.abort(stopped))).rejects.toBe(stopped);
});
