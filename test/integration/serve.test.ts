import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { emptyFolder } from "../support/folder.ts";
import { BRIDGE_FAKE } from "../support/screening.ts";
import { type Env, run, start } from "../support/weir.ts";

describe("weir serve", () => {
  const KEY = "key-of-this-test";
  const serve = (env: Env = {}) => start(["serve"], { PORT: "0", SERVICE_API_KEYS: KEY, ...env });
  const ask = async (url: string, address: string, key = KEY) => {
    const response = await fetch(`${url}/v2/svc/address-poisoning?chain_id=1&address=${address}`, {
      headers: { "x-api-key": key },
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const urlOf = async (service: ReturnType<typeof serve>) => (await service.untilSaid(/"url":"(http:[^"]+)"/))[1] ?? "";

  test.each(["SIGTERM", "SIGINT"] as const)("the service answers with its key until %s ends it", async (signal) => {
    const service = serve();
    const url = await urlOf(service);

    const [known, stranger] = [await ask(url, BRIDGE_FAKE), await ask(url, BRIDGE_FAKE, "wrong")];
    service.child.kill(signal);

    expect(known).toMatchObject({ status: 200, body: { data: { target_address: { mimics_exchange: "1" } } } });
    expect(stranger.status).toBe(401);
    const { status, stdout, stderr } = await service.ended;
    expect(status).toBe(0);
    expect(stdout + stderr).not.toContain(KEY);
    await expect(fetch(`${url}/livez`)).rejects.toThrow();
  });

  test("a changed label file is read without a restart, and a broken one keeps the old labels", async () => {
    const file = path.join(await emptyFolder(), "mine.csv");
    const header = "chain,address,name,kind\n";
    await writeFile(file, header);
    const service = serve({ LABELS_FILES: file });
    const url = await urlOf(service);
    const suspect = "0x1111a3c5e7f9b1d2c4e6f8a0b2d4c6e8f0a12222";
    const flag = async () => JSON.stringify((await ask(url, suspect)).body).includes('"mimics_exchange":"1"');
    const before = await flag();

    await writeFile(file, `${header}1,0x1111b9d7f5e3c1a0b8d6f4e2c0a9b7d5f3e12222,Cold wallet,exchange\n`);
    await eventually(flag, (raised) => raised, "the new label");
    await writeFile(file, "garbage without a header\n1,2,3,4\n");
    await service.untilSaid(/mine\.csv[^\n]*header/);

    expect(before).toBe(false);
    expect(await flag()).toBe(true);
  });

  test("the service shows its metrics on a configured admin port, and counts its answers", async () => {
    const service = serve({ ADMIN_PORT: "0" });
    const [, admin = ""] = await service.untilSaid(
      /"url":"(http:[^"]+)","msg":"the admin server listens for health and metrics"/,
    );
    const [, url = ""] = await service.untilSaid(/"url":"(http:[^"]+)","keys":1/);
    await ask(url, BRIDGE_FAKE);
    const metrics = await (await fetch(`${admin}/metrics`)).text();

    expect(metrics).toMatch(/^weir_served_requests_total\{operation="poisoningQuery",status="200"\} 1$/m);
    expect(metrics).toMatch(/^process_cpu_seconds_total /m);
    expect((await fetch(`${admin}/livez`)).status).toBe(200);
  });

  test("the service reports that its port is taken", async () => {
    const url = await urlOf(serve());

    const { status, stderr } = await run(["serve"], { PORT: new URL(url).port, SERVICE_API_KEYS: KEY });

    expect(status).toBe(1);
    expect(stderr).toMatch(/weir: cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE/);
  });
});
