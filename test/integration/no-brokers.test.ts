import { expect, test } from "vitest";
import { freePorts } from "../servers/free-ports.ts";
import { eventually } from "../support/eventually.ts";
import { start } from "../support/weir.ts";

const s3 = { S3_BUCKET: "weir", S3_ENDPOINT: "http://127.0.0.1:1", S3_REGION: "us-east-1" };
const service = { SERVICE_URL: "http://127.0.0.1:1", SERVICE_API_KEY: "a-key-of-this-test" };

test.each([
  ["worker", service],
  ["archive", s3],
] as const)(
  "weir %s without its brokers is alive and not ready, and says why",
  async (command, own) => {
    const [port] = await freePorts(1);
    const env = { ...own, KAFKA_BROKERS: `127.0.0.1:${port}`, ADMIN_PORT: "0" };
    const running = start([command], env);
    const [, admin = ""] = await running.untilSaid(
      /"url":"(http:[^"]+)","msg":"the admin server listens for health and metrics"/,
    );
    const asked = async (path: string) => {
      const answer = await fetch(`${admin}${path}`);
      return { status: answer.status, text: await answer.text() };
    };
    // A worker reports that it reads its lists first.
    const isLoaded = ({ text }: { readonly text: string }) => !text.includes("the lists are not loaded yet");
    const ready = await eventually(() => asked("/readyz"), isLoaded, "the lists");

    const reason = `the brokers have not answered yet: 127.0.0.1:${port}`;
    expect([ready.status, JSON.parse(ready.text)]).toEqual([503, { ok: false, reasons: [reason] }]);
    expect((await asked("/livez")).status).toBe(200);
    expect((await asked("/metrics")).status).toBe(200);
    running.child.kill("SIGTERM");
    expect((await running.ended).status).toBe(0);
  },
  60_000,
);
