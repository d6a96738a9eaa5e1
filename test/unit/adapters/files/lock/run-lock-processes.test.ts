import { type ChildProcess, fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { holderIn, ownHost } from "../../../../../src/adapters/files/lock/lock-holder.ts";
import { eventually } from "../../../../support/eventually.ts";
import { emptyFolder } from "../../../../support/folder.ts";

const script = new URL("./run-lock-contender.ts", import.meta.url);
/** The id of a process that lived and has ended. */
const gone = spawnSync(process.execPath, ["--version"]).pid;
const lockIn = (folder: string) => path.join(folder, ".lock");
const textIn = (folder: string) => readFile(lockIn(folder), "utf8");

class Contender {
  /** Its unrequested reports. */
  readonly told: string[] = [];
  readonly #answers: string[] = [];
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on("message", ({ answer, told }: { readonly answer?: string; readonly told?: string }) => {
      if (answer !== undefined) this.#answers.push(answer);
      if (told !== undefined) this.told.push(told);
    });
    onTestFinished(() => void child.kill("SIGKILL"));
  }

  static async start(child = fork(script)): Promise<Contender> {
    const contender = new Contender(child);
    await contender.#answer(1);
    return contender;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Makes it lock the folder, or answer whether it may still write. @returns its answer. */
  async ask(question: { readonly folder?: string; readonly place?: string }): Promise<string | undefined> {
    this.#child.send(question);
    return await this.#answer(this.#answers.length + 1);
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async die(): Promise<void> {
    this.#child.kill("SIGKILL");
    await once(this.#child, "exit");
  }

  async says(message: string): Promise<void> {
    await eventually(
      () => this.told,
      (told) => told.includes(message),
      "the contender says it",
    );
  }

  async #answer(count: number): Promise<string | undefined> {
    await eventually(
      () => this.#answers.length,
      (length) => length >= count,
      "the contender answers",
    );
    return this.#answers.at(-1);
  }
}

const contenders = (count: number) => Promise.all(Array.from({ length: count }, () => Contender.start()));
const machine = (digit: number) => `${digit}131d560-49fa-45cd-a1d4-86bb3e75994a/4026531836`;

/** Of parallel processes, one gets the folder, and the others get an error with its name. */
async function oneGets(folder: string, answers: readonly (string | undefined)[], told: RegExp): Promise<number> {
  const losers = answers.filter((answer) => answer !== "locked");
  expect(losers).toHaveLength(answers.length - 1);
  for (const answer of losers) expect(answer).toMatch(told);
  expect(await readdir(folder)).toEqual([".lock"]);
  return answers.indexOf("locked");
}

test("of six processes that find the lock of a dead process, exactly one gets the directory, every time", async () => {
  const six = await contenders(6);
  for (let round = 0; round < 10; round++) {
    const folder = await emptyFolder();
    await writeFile(lockIn(folder), `${gone} 1 ${await ownHost()}/stale`);

    const answers = await Promise.all(six.map((contender) => contender.ask({ folder })));

    const winner = await oneGets(folder, answers, / is in use by process \d+: wait for it, or choose another --out$/);
    expect(holderIn(await textIn(folder))?.pid).toBe(six[winner]?.pid);
  }
});

test("of six processes on six hosts that find the lock of a dead seventh, exactly one gets the directory", async () => {
  const folder = await emptyFolder();
  await writeFile(lockIn(folder), `1 1 ${machine(9)}/stale`);
  const six = await contenders(6);

  const answers = await Promise.all(six.map((contender, i) => contender.ask({ folder, place: machine(i) })));

  const winner = await oneGets(
    folder,
    answers,
    / is in use by process \d+ of another container or machine: wait for it/,
  );
  expect(holderIn(await textIn(folder))).toMatchObject({ pid: six[winner]?.pid, place: machine(winner) });
  expect(await six[winner]?.ask({})).toBe("writes");
});

describe("two processes on two machines", () => {
  async function two() {
    const [one, other] = await contenders(2);
    if (one === undefined || other === undefined) throw new Error("there are two");
    return { one, other, folder: await emptyFolder() };
  }

  const waits = (folder: string, { pid }: Contender) =>
    `${folder} is locked by process ${pid} of another container or machine; waiting up to 3 s to see whether it lives`;

  test("the second is refused as long as the first lives, and gets the directory after a kill", async () => {
    const { one, other, folder } = await two();
    expect(await one.ask({ folder, place: machine(1) })).toBe("locked");

    expect(await other.ask({ folder, place: machine(2) })).toBe(
      `${folder} is in use by process ${one.pid} of another container or machine: wait for it, or choose another --out`,
    );
    await one.die();

    expect(await other.ask({ folder, place: machine(2) })).toBe("locked");
    expect(await readdir(folder)).toEqual([".lock"]);
  });

  test("a process that was stopped until the other took its directory may not write, and gets an error", async () => {
    const { one, other, folder } = await two();
    expect(await one.ask({ folder, place: machine(1) })).toBe("locked");
    one.kill("SIGSTOP");
    expect(await other.ask({ folder, place: machine(2) })).toBe("locked");

    const asked = one.ask({});
    one.kill("SIGCONT");

    const lost = `${folder} was taken over by process ${other.pid} of another container or machine while this run stood still; nothing more is written: start again once no other run is at it, or choose another --out`;
    expect(await asked).toBe(lost);
    await one.says(lost);
    expect(await other.ask({})).toBe("writes");
    expect(other.told).toEqual([waits(folder, one)]);
  });

  test("a process that was stopped for a shorter time goes on, and the other is refused", async () => {
    const { one, other, folder } = await two();
    expect(await one.ask({ folder, place: machine(1) })).toBe("locked");
    const text = await textIn(folder);
    one.kill("SIGSTOP");
    const answer = other.ask({ folder, place: machine(2) });
    await other.says(waits(folder, one));

    one.kill("SIGCONT");

    expect(await answer).toContain(` is in use by process ${one.pid} of another container or machine: wait`);
    expect(await one.ask({})).toBe("writes");
    expect(await textIn(folder)).toBe(text);
  });
});

/** Makes a process namespace, as each container has one. Not every system allows it to ordinary users. */
const UNSHARE = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child"];
const canUnshare = spawnSync("unshare", [...UNSHARE, "true"]).status === 0;

describe.runIf(canUnshare)("in two process namespaces, where each is process 1", () => {
  const contained = () =>
    Contender.start(
      spawn("unshare", [...UNSHARE, process.execPath, script.pathname], {
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      }),
    );

  test("the second is refused while the first lives, and gets the directory after a kill", async () => {
    const [one, other] = [await contained(), await contained()];
    const folder = await emptyFolder();
    expect(await one.ask({ folder })).toBe("locked");

    const inUse = `${folder} is in use by process 1 of another container or machine: wait for it, or choose another --out`;
    expect(await other.ask({ folder })).toBe(inUse);
    await one.die();

    expect(await other.ask({ folder })).toBe("locked");
    expect(holderIn(await textIn(folder))?.pid).toBe(1);
  });
});
