import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toHex } from "../../src/evm-analysis/machine/code.ts";
import { readCorpus } from "../corpus/corpus.ts";
import { type Anvil, startAnvil } from "../servers/anvil.ts";

const dir = mkdtempSync(path.join(tmpdir(), "weir-inspect-"));
afterAll(() => rmSync(dir, { recursive: true }));

const codeOf = (contract: string) =>
  toHex(readCorpus().find((artifact) => artifact.contract === contract)?.code ?? new Uint8Array());

function inspect(...args: readonly string[]) {
  return inspectWith({}, ...args);
}

function inspectWith(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["src/cli/main.ts", "inspect", ...args], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return {
    status,
    stderr,
    lines: stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line)),
  };
}

test("a folder gives one line per file, in the order of names, and junk does not stop it", () => {
  writeFileSync(path.join(dir, "a.hex"), `0x${codeOf("OwnerMint")}\n`);
  writeFileSync(path.join(dir, "b.hex"), "no hex");
  writeFileSync(path.join(dir, "c.hex"), codeOf("HandWritten"));
  const { status, lines } = inspect("--bytecode", dir);

  expect(status).toBe(2);
  expect(lines.map(({ file, capabilities }) => [path.basename(file), capabilities])).toEqual([
    ["a.hex", { mint: true, limit: false, leak: false }],
    ["b.hex", { mint: "unknown", limit: "unknown", leak: "unknown" }],
    ["c.hex", { mint: false, limit: false, leak: false }],
  ]);
});

test("links are followed, and an unreadable file has its own line", () => {
  const folder = mkdtempSync(path.join(dir, "links-"));
  writeFileSync(path.join(folder, "real"), "0x00");
  symlinkSync("real", path.join(folder, "a-link"));
  symlinkSync("nowhere", path.join(folder, "b-dangling"));
  symlinkSync(dir, path.join(folder, "c-folder"));
  writeFileSync(path.join(folder, "d-empty"), "\n");
  writeFileSync(path.join(folder, "e-none"), "0x");
  const { status, lines } = inspect("--bytecode", folder);

  expect(status).toBe(2);
  expect(lines.map(({ file, kind, error }) => [path.basename(file), kind, error])).toEqual([
    ["a-link", "other", undefined],
    ["b-dangling", "unknown", "cannot be read: ENOENT"],
    ["d-empty", "unknown", "the file is empty: 0x would say that there is no code"],
    ["e-none", "empty", undefined],
    ["real", "other", undefined],
  ]);
});

test("a missing file is reported", () => {
  const { status, stderr } = inspect("--bytecode", path.join(dir, "nothing"));

  expect([status, stderr]).toEqual([
    1,
    `weir: cannot read ${path.join(dir, "nothing")}: there is no such file or folder: check its name\n`,
  ]);
});

describe("an address of a chain", () => {
  let anvil: Anvil;
  let env: Readonly<Record<string, string>>;
  beforeAll(async () => {
    anvil = await startAnvil();
    env = { EVM_RPC_URLS: JSON.stringify({ "31337": anvil.url }) };
  });
  afterAll(() => anvil.stop());

  test("an address behind a proxy is analysed by its implementation, with the number of the block", async () => {
    const code = `0x${codeOf("OwnerMint")}`;
    const minting = `0x${"ab".repeat(20)}`;
    await anvil.rpc("anvil_setCode", minting, code);
    const proxy = await anvil.deploy("Eip897", "address", [minting]);

    const { status, lines } = inspectWith(env, "--chain", "31337", proxy);

    expect(status).toBe(0);
    expect(lines).toMatchObject([
      {
        chain_id: "31337",
        address: proxy,
        block: "1",
        proxy_type: "EIP-897",
        implementation: minting,
        code_of: minting,
        kind: "token",
        capabilities: { mint: true, limit: false, leak: false },
      },
    ]);
  });

  test("a proxy to an empty address is analysed by its own code", async () => {
    const nothing = `0x${"34".repeat(20)}`;
    const proxy = await anvil.deploy("Eip897", "address", [nothing]);

    const { lines } = inspectWith(env, "--chain", "31337", proxy);

    expect(lines).toMatchObject([{ implementation: nothing, code_of: proxy, kind: "proxy" }]);
  });

  test("an address without code is empty", () => {
    const { status, lines } = inspectWith(env, "--chain", "31337", `0x${"12".repeat(20)}`);

    expect([status, lines.map(({ kind, proxy_type }) => [kind, proxy_type])]).toEqual([0, [["empty", ""]]]);
  });

  test.each([
    [["--chain", "1", `0x${"12".repeat(20)}`], "weir: no node of chain 1: name its URL in EVM_RPC_URLS\n"],
    [["--chain", "31337", "0x12"], "weir: ADDRESS: must have 40 hex digits after 0x, has 2\n"],
    [["--chain", "31337"], "weir: name either --bytecode FILE, or --chain ID and an address\n"],
    [[], "weir: name either --bytecode FILE, or --chain ID and an address\n"],
  ])("the arguments %j are refused", (args, message) => {
    const { status, stderr } = inspectWith(env, ...args);

    expect([status, stderr]).toEqual([1, message]);
  });

  test("an address is not analysed on a node of another chain", () => {
    const wrong = { EVM_RPC_URLS: JSON.stringify({ "1": anvil.url }) };

    const { status, stderr } = inspectWith(wrong, "--chain", "eth", `0x${"12".repeat(20)}`);

    const host = new URL(anvil.url).host;
    expect([status, stderr]).toEqual([1, `weir: no endpoint of chain 1 answers: ${host} (1): it is of chain 31337\n`]);
  });
});
