import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { health } from "../../../../src/cli/program/health.ts";
import { deadUrl, listen, sendJson } from "../../../support/http-server.ts";

const said: string[] = [];
beforeEach(() => {
  said.length = 0;
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => said.push(String(text)) > 0);
  }
});
afterEach(() => vi.restoreAllMocks());

/** A server with this status for /livez, and 404 for every other path. */
const live = (status: number) =>
  listen((request, response) => sendJson(response, request.url === "/livez" ? status : 404, { ok: status === 200 }));
const portOf = (url: string) => new URL(url).port;
const env = (admin: string, service: string) => ({
  ADMIN_HOST: "127.0.0.1",
  ADMIN_PORT: portOf(admin),
  HOST: "127.0.0.1",
  PORT: portOf(service),
});

test("a live worker is healthy, whatever other process listens", async () => {
  const url = await live(200);

  expect(await health(env(url, await live(503)))).toBe(0);
  expect(said).toEqual([`${url}/livez: 200 {"ok":true}\n`]);
});

test("a worker that must restart is unhealthy", async () => {
  expect(await health(env(await live(503), await live(200)))).toBe(1);
});

test("a service is checked where no worker listens", async () => {
  expect(await health(env(await deadUrl(), await live(200)))).toBe(0);
});

test("a server that listens on all addresses is called on this machine", async () => {
  const url = await live(200);

  expect(await health({ ...env(url, url), ADMIN_HOST: "0.0.0.0" })).toBe(0);
  expect(said).toEqual([`${url}/livez: 200 {"ok":true}\n`]);
});

test("without a server the result is unhealthy", async () => {
  const dead = await deadUrl();

  expect(await health(env(dead, dead))).toBe(1);
  expect(said).toEqual([expect.stringMatching(/^weir: no Weir process answers: .*ECONNREFUSED.*; .*ECONNREFUSED/)]);
});
