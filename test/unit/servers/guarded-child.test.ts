import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { spawnGuarded } from "../../servers/guarded-child.ts";
import { eventually } from "../../support/eventually.ts";
import { emptyFolder } from "../../support/folder.ts";

const sleeper = ["-e", "setInterval(() => undefined, 1000)"] as const;

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a killed process takes its guarded child and the folder with it", async () => {
  const folder = path.join(await emptyFolder(), "data");
  await mkdir(folder);
  const guard = path.resolve(import.meta.dirname, "../../servers/guarded-child.ts");
  const program = `
    import { spawnGuarded } from ${JSON.stringify(guard)};
    const child = spawnGuarded(process.execPath, ${JSON.stringify(sleeper)}, { stdio: "ignore" }, ${JSON.stringify(folder)});
    process.stdout.write(child.pid + "\\n");
    setInterval(() => undefined, 1000);
  `;
  const parent = execFile(process.execPath, ["--input-type=module", "-e", program]);
  onTestFinished(() => void parent.kill("SIGKILL"));
  const pid = await new Promise<number>((resolve) => parent.stdout?.once("data", (text: string) => resolve(+text)));
  expect(alive(pid)).toBe(true);

  parent.kill("SIGKILL");

  await eventually(
    () => [alive(pid), existsSync(folder)],
    ([child, data]) => child === false && data === false,
    "the child and its folder",
  );
});

test("a child that ends by itself leaves the folder in place", async () => {
  const folder = await emptyFolder();

  const child = spawnGuarded(process.execPath, ["-e", ""], { stdio: "ignore" }, folder);
  await new Promise((resolve) => child.once("exit", resolve));
  // Long against the reaction of a guard that was not cancelled.
  await delay(100);

  expect(existsSync(folder)).toBe(true);
});
