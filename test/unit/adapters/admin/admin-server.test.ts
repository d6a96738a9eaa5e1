import { expect, onTestFinished, test } from "vitest";
import { type AdminOptions, AdminServer } from "../../../../src/adapters/admin/admin-server.ts";

const options: AdminOptions = {
  host: "127.0.0.1",
  port: 0,
  live: () => [],
  ready: () => [],
  metrics: async () => ({ contentType: "text/plain; version=0.0.4", text: "weir_up 1\n" }),
  setLevel: () => true,
  levels: ["debug", "info"],
};

async function admin(own: Partial<AdminOptions> = {}) {
  const levels: string[] = [];
  const server = new AdminServer({
    ...options,
    setLevel: (level) => levels.push(level) > 0 && level === "debug",
    ...own,
  });
  const url = await server.start();
  onTestFinished(() => server.stop());
  const get = async (path: string, method = "GET") => {
    const response = await fetch(url + path, { method });
    return [response.status, await response.text()];
  };
  return { get, levels, url };
}

test("a process that is alive and ready reports no reasons", async () => {
  const { get } = await admin();

  expect(await get("/livez")).toEqual([200, '{"ok":true,"reasons":[]}\n']);
  expect(await get("/readyz")).toEqual([200, '{"ok":true,"reasons":[]}\n']);
  expect(await get("/metrics")).toEqual([200, "weir_up 1\n"]);
});

test("a process that is not alive or not ready reports the reasons", async () => {
  const { get } = await admin({ live: () => ["stuck"], ready: () => ["not joined", "the API key is refused"] });

  expect(await get("/livez")).toEqual([503, '{"ok":false,"reasons":["stuck"]}\n']);
  expect(await get("/readyz")).toEqual([503, '{"ok":false,"reasons":["not joined","the API key is refused"]}\n']);
});

test("the level of the log changes at run time, and an invalid level is refused", async () => {
  const { get, levels } = await admin();

  expect(await get("/log-level?level=debug", "PUT")).toEqual([200, '{"level":"debug"}\n']);
  expect(await get("/log-level?level=loud", "PUT")).toEqual([400, '{"error":"level must be one of debug, info"}\n']);
  expect(levels).toEqual(["debug", "loud"]);
  expect(await get("/livez", "POST")).toEqual([405, '{"error":"only GET"}\n']);
  expect(await get("/", "GET")).toEqual([404, '{"error":"there are /livez, /readyz and /metrics"}\n']);
});

test("an occupied port is reported with the remedy", async () => {
  const { url } = await admin();
  const { port } = new URL(url);
  const second = new AdminServer({ ...options, port: Number(port) });

  await expect(second.start()).rejects.toThrow(
    new RegExp(`^cannot listen on ADMIN_HOST 127.0.0.1, ADMIN_PORT ${port}: .*EADDRINUSE.*: choose another, or 0`),
  );
});

test("a failure to collect metrics ends the connection, not the process", async () => {
  const { get } = await admin({ metrics: () => Promise.reject(new Error("a bug")) });

  await expect(get("/metrics")).rejects.toThrow();
  expect((await get("/livez"))[0]).toBe(200);
});
