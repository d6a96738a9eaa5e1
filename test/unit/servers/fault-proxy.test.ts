import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as delay, setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { type FaultProxy, startProxy } from "../../servers/fault-proxy.ts";
import { eventually } from "../../support/eventually.ts";

/** A server that returns its input, and the end of its input. */
async function echoServer() {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { host: "127.0.0.1", port: (server.address() as AddressInfo).port, sockets };
}

async function proxyToEcho() {
  const echo = await echoServer();
  const proxy = await startProxy({ target: echo });
  onTestFinished(() => proxy.close());
  return { echo, proxy };
}

/** One connection, and its received text. */
function client({ host, port }: Pick<FaultProxy, "host" | "port">) {
  const socket = connect({ host, port, allowHalfOpen: true });
  const heard: Buffer[] = [];
  let error: string | undefined;
  socket.on("data", (bytes: Buffer) => heard.push(bytes));
  socket.on("error", (thrown: NodeJS.ErrnoException) => (error = thrown.code));
  const closed = new Promise<string | undefined>((resolve) => socket.on("close", () => resolve(error)));
  onTestFinished(() => void socket.destroy());
  const text = () => Buffer.concat(heard).toString();
  return {
    socket,
    closed,
    text,
    /** Sends a message, and waits for its echo. */
    async echoes(message: string) {
      const before = text();
      socket.write(message);
      await eventually(text, (now) => now.length >= before.length + message.length, `the echo of ${message}`);
      return text().slice(before.length);
    },
  };
}

test("passes bytes in both directions, and the end of the stream", async () => {
  const { proxy } = await proxyToEcho();
  const all = Buffer.alloc(3_000_000, "0123456789abcdef");
  const here = client(proxy);

  here.socket.end(all);
  await once(here.socket, "end");

  expect(here.text() === all.toString()).toBe(true);
});

test("uses the configured port", async () => {
  const { echo, proxy } = await proxyToEcho();
  await proxy.close();

  const again = await startProxy({ target: echo, port: proxy.port });
  onTestFinished(() => again.close());

  expect(again.port).toBe(proxy.port);
  expect(await client(again).echoes("hello")).toBe("hello");
});

test("a target without a server resets the client", async () => {
  const { echo, proxy } = await proxyToEcho();
  await proxy.close();
  const astray = await startProxy({ target: { host: echo.host, port: proxy.port } });
  onTestFinished(() => astray.close());

  expect(await client(astray).closed).toBe("ECONNRESET");
});

test("a latency delays every byte in each direction, and does not add up over bytes sent together", async () => {
  const { proxy } = await proxyToEcho();
  const here = client(proxy);
  await here.echoes("warm");
  await proxy.set({ mode: "latency", ms: 100 });
  here.socket.setNoDelay(true);

  const begun = performance.now();
  for (const digit of "0123456789") {
    here.socket.write(digit);
    await setImmediate();
  }
  await eventually(here.text, (text) => text === "warm0123456789", "every echo, in order");

  // Timers of Node may fire a millisecond early. Added up, the delay would be 2 s.
  expect(performance.now() - begun).toBeGreaterThanOrEqual(198);
  expect(performance.now() - begun).toBeLessThan(1500);
});

test("bytes sent before the end of a latency are not overtaken by later bytes", async () => {
  const { proxy } = await proxyToEcho();
  const here = client(proxy);
  await here.echoes("warm");
  await proxy.set({ mode: "latency", ms: 200 });
  here.socket.write("slow");
  await proxy.set({ mode: "pass" });

  here.socket.write("quick");

  await eventually(here.text, (text) => text.length === 13, "both echoes");
  expect(here.text()).toBe("warmslowquick");
});

test("a bandwidth limits the bytes a second", async () => {
  const { proxy } = await proxyToEcho();
  await proxy.set({ mode: "bandwidth", bytesPerSec: 40_000 });
  const here = client(proxy);

  const begun = performance.now();
  here.socket.end(Buffer.alloc(20_000, "x"));
  await once(here.socket, "end");

  expect(here.text()).toBe("x".repeat(20_000));
  expect(performance.now() - begun).toBeGreaterThanOrEqual(498);
});

test("a black hole accepts connections and bytes and returns nothing, not even an end", async () => {
  const { echo, proxy } = await proxyToEcho();
  const before = client(proxy);
  await before.echoes("warm");
  await proxy.set({ mode: "blackHole" });

  const during = client(proxy);
  await once(during.socket, "connect");
  during.socket.end("anyone?");
  before.socket.write("anyone?");
  for (const socket of echo.sockets) socket.destroy();
  await eventually(
    () => [before, during].map(({ socket }) => socket.writableLength),
    ([a, b]) => a === 0 && b === 0,
    "sent",
  );
  // Long against the loopback's microseconds: any returned bytes would have arrived.
  await delay(100);

  expect([before.text(), during.text()]).toEqual(["warm", ""]);
  expect([before, during].map(({ socket }) => [socket.readableEnded, socket.destroyed])).toEqual([
    [false, false],
    [false, false],
  ]);
  expect(proxy.connections()).toBe(2);
});

test("the end of a black hole resets its connections, and new ones pass", async () => {
  const { proxy } = await proxyToEcho();
  const before = client(proxy);
  await before.echoes("warm");
  await proxy.set({ mode: "blackHole" });
  const during = client(proxy);
  await eventually(proxy.connections, (count) => count === 2, "connections");

  await proxy.set({ mode: "pass" });

  expect(await Promise.all([before.closed, during.closed])).toEqual(["ECONNRESET", "ECONNRESET"]);
  expect(await client(proxy).echoes("hello")).toBe("hello");
});

test("reset answers existing and new connections by RST", async () => {
  const { proxy } = await proxyToEcho();
  const before = client(proxy);
  await before.echoes("warm");

  await proxy.set({ mode: "reset" });

  expect(await before.closed).toBe("ECONNRESET");
  expect(await client(proxy).closed).toBe("ECONNRESET");
  await eventually(proxy.connections, (count) => count === 0, "connections");
});

test("refuse rejects new connections and keeps existing ones, until it listens again on the same port", async () => {
  const { proxy } = await proxyToEcho();
  const before = client(proxy);
  await before.echoes("warm");

  await proxy.set({ mode: "refuse" });
  expect(await client(proxy).closed).toBe("ECONNREFUSED");
  expect(await before.echoes("still here")).toBe("still here");

  await proxy.set({ mode: "pass" });
  expect(await client(proxy).echoes("hello")).toBe("hello");
  expect(await before.echoes("still here")).toBe("still here");
});

test("cut resets every present connection and no later one", async () => {
  const { echo, proxy } = await proxyToEcho();
  const [one, two] = [client(proxy), client(proxy)];
  await Promise.all([one.echoes("1"), two.echoes("2")]);

  proxy.cut();

  expect(await Promise.all([one.closed, two.closed])).toEqual(["ECONNRESET", "ECONNRESET"]);
  await eventually(
    () => echo.sockets.size,
    (count) => count === 0,
    "connections at the target",
  );
  expect(await client(proxy).echoes("3")).toBe("3");
});
