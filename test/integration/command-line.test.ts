import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { emptyFolder } from "../support/folder.ts";
import { inputOf, lookalike, ndjson, REAL } from "../support/screening.ts";
import { type Env, run, start } from "../support/weir.ts";

test("weir config check reports the settings, and its status shows whether any is faulty", async () => {
  const sound = await run(["config", "check"]);
  const faulty = await run(["config", "check", "screen"], {
    KAFKA_BROKERS: "127.0.0.1:1",
    SERVICE_DIALECT: "/none.yaml",
  });
  const ofWorker = await run(["config", "check"], { KAFKA_BROKERS: "127.0.0.1:1" });

  expect([sound.status, sound.stderr]).toEqual([0, ""]);
  expect(sound.stdout.split("\n").slice(0, 2)).toEqual([
    "Settings of weir screen, from the environment. No network is used.",
    "ok    service  is not set: the run starts a service of its own",
  ]);
  expect(sound.stdout).toMatch(/\nThe settings are valid\.\n$/);
  expect([faulty.status, faulty.stderr]).toEqual([1, ""]);
  expect(faulty.stdout).toContain("FAIL  dialect  SERVICE_DIALECT: cannot read /none.yaml: ENOENT");
  expect(faulty.stdout).toMatch(/\n1 fault: correct each\.\n$/);
  expect([ofWorker.status, ofWorker.stdout.split("\n")[0]]).toEqual([
    1,
    "Settings of weir worker, from the environment. No network is used.",
  ]);
});

describe("a config file", () => {
  const written = async (text: string) => {
    const file = path.join(await emptyFolder(), "weir.yaml");
    await writeFile(file, text);
    return file;
  };

  test("sets what the environment does not, for every command", async () => {
    const file = await written("SERVICE_URL: http://127.0.0.1:1\nLOG_LEVEL: warn\n");
    const { file: events, out } = await inputOf("a.ndjson", ndjson(lookalike));
    const byFlag = await run(["screen", events, "--out", out, "--config", file]);
    const byVariable = await run(["config", "screen"], { WEIR_CONFIG: file, LOG_LEVEL: "error" });

    expect([byFlag.status, byFlag.stderr]).toEqual([1, expect.stringContaining("no API key: set SERVICE_API_KEY")]);
    expect(byVariable.stdout).toMatch(new RegExp(`SERVICE_URL=http://127.0.0.1:1 +# ${file}:1\\n`));
    expect(byVariable.stdout).toMatch(/LOG_LEVEL=error +# environment\n/);
  });

  test("does not reach the service that a run starts", async () => {
    const file = await written("SERVICE_API_KEYS_FILE: /none\nLOG_LEVEL: warn\nPORT: 1\n");
    const { file: events, out } = await inputOf("a.ndjson", ndjson(lookalike));

    expect(await run(["screen", events, "--out", out, "--config", file])).toMatchObject({ status: 0, stderr: "" });
  });

  test("with a fault starts nothing, and weir config check has status 1", async () => {
    const file = await written("SERVICE_URLL: http://127.0.0.1:1\n");
    const fault = `${file}:1:1: SERVICE_URLL is no setting of Weir: did you mean SERVICE_URL?`;

    expect(await run(["health", "--config", file])).toMatchObject({
      status: 1,
      stderr: `weir: bad config file: ${fault}\n`,
    });
    expect(await run(["config", "check", "--config", file])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining(`FAIL  config file  ${fault}\n`),
    });
  });

  test("a wrong command line of weir config has status 2", async () => {
    expect((await run(["config", "check", "scren"])).status).toBe(2);
    expect((await run(["config", "--al"])).status).toBe(2);
  });
});

test("weir completion and weir config schema print what a shell and an editor read", async () => {
  const script = await run(["completion", "bash"]);
  const schema = await run(["config", "schema"]);

  expect([script.status, script.stdout]).toEqual([0, expect.stringContaining("complete -o default -F _weir weir\n")]);
  expect(Object.keys(JSON.parse(schema.stdout).properties)).toContain("KAFKA_BROKERS");
});

test("a reader that goes away ends the output, and not the run", async () => {
  const { file, out } = await inputOf("a.ndjson", ndjson(...Array.from({ length: 200 }, () => lookalike)));
  const running = start(["screen", file, "--out", out]);
  running.child.stdout.destroy();
  const { status, stderr } = await running.ended;

  expect([status, stderr]).toEqual([0, expect.not.stringContaining("EPIPE")]);
  const verdicts = await readFile(path.join(out, "verdicts.ndjson"), "utf8");
  expect(verdicts.trimEnd().split("\n")).toHaveLength(200);
});

describe("help", () => {
  test.each<[readonly string[], readonly RegExp[]]>([
    [["--help"], [/^Usage: weir /, /screen/, /serve/, /demo/]],
    [
      ["screen", "--help"],
      [
        /^Usage: weir screen /,
        /--out <dir>/,
        /--chain <id>/,
        /--user/,
        /--token/,
        /LISTS_FILES/,
        /Exit status:\n {4}0 {2}Every event has a verdict\./,
      ],
    ],
    [
      ["plan", "--help"],
      [/^Usage: weir plan /, /LISTS_FILES/],
    ],
    [
      ["serve", "--help"],
      [/^Usage: weir serve/, /SERVICE_API_KEYS/],
    ],
    [
      ["config", "check", "--help"],
      [/^Usage: weir config check /, /"screen"/, /Exit status:\n {4}0 {2}No setting is at fault\./, /Examples:/],
    ],
    [
      ["help", "labels", "check"],
      [/^Usage: weir labels check /, /\n {4}LABELS_FILES/],
    ],
    [
      ["demo", "--help"],
      [/^Usage: weir demo/, /--out <dir>/, /Exit status:\n {4}0 {2}The demo is complete\./],
    ],
  ])("the help of %j describes the command", async (args, patterns) => {
    const { status, stdout } = await run(args);

    expect(status).toBe(0);
    for (const pattern of patterns) expect(stdout).toMatch(pattern);
  });

  test("--version prints the version", async () => {
    const manifest = JSON.parse(await readFile(path.join(import.meta.dirname, "../../package.json"), "utf8"));

    expect((await run(["--version"])).stdout.trim()).toBe(manifest.version);
  });
});

test("a refused file leaves no output behind", async () => {
  const folder = await emptyFolder();
  const [file, out] = [path.join(folder, "events.ndjson"), path.join(folder, "out")];
  await writeFile(file, `address,chain\n${REAL},1\n`);

  expect(await run(["screen", file, "--out", out])).toMatchObject({
    status: 1,
    stderr: `weir: ${file} is read as NDJSON, as its name says, and its first line is a CSV header: add --format csv\n`,
  });
  expect(await readdir(folder)).toEqual(["events.ndjson"]);
});

describe("every mistake is one message that says what to do", () => {
  const absent = "/nowhere/events.ndjson";
  test.each<[string, readonly string[], Env, RegExp]>([
    ["no command", [], {}, /Usage: weir/],
    ["an unknown command", ["scren"], {}, /unknown command 'scren'[\s\S]*--help/],
    ["an unknown flag", ["screen", "-", "--chian", "1"], {}, /unknown option '--chian'[\s\S]*--help/],
    ["no file", ["screen"], {}, /missing required argument 'file'[\s\S]*--help/],
    ["an unknown format", ["screen", "-", "--format", "xml"], {}, /Allowed choices are ndjson, csv, list/],
    ["an absent file", ["screen", absent], {}, /^weir: cannot read \/nowhere\/events\.ndjson: ENOENT/],
    ["a bare list without --chain", ["screen", "LIST"], {}, /^weir: a bare list .* needs their chain: add --chain/],
    [
      "an unknown --chain",
      ["screen", "LIST", "--chain", "x"],
      {},
      /^weir: --chain x: unknown chain; give a decimal id/,
    ],
    [
      "an impossible --user",
      ["screen", "LIST", "--chain", "1", "--user", "x"],
      {},
      /^weir: --user x: no address on Ethereum/,
    ],
    [
      "an --out that is a file",
      ["screen", "LIST", "--chain", "1", "--out", "LIST"],
      {},
      /^weir: cannot make .*: choose another --out/,
    ],
    [
      "SERVICE_URL without a key",
      ["screen", "LIST", "--chain", "1"],
      { SERVICE_URL: "http://127.0.0.1:1" },
      /^weir: no API key: set SERVICE_API_KEY, or put one in a file and set SERVICE_API_KEY_FILE/,
    ],
    [
      "a bad SERVICE_URL",
      ["screen", "LIST"],
      { SERVICE_URL: "hunter2" },
      /^weir: bad settings: SERVICE_URL: must be an http or https URL/,
    ],
    [
      "a SERVICE_URL that others can listen in on",
      ["screen", "LIST", "--chain", "1"],
      { SERVICE_URL: "http://10.0.0.7", SERVICE_API_KEY: "k" },
      /^weir: SERVICE_URL is http, .*: use https, or set SERVICE_ALLOW_HTTP=true/,
    ],
    [
      "a SERVICE_URL of cloud metadata",
      ["screen", "LIST", "--chain", "1"],
      { SERVICE_URL: "http://169.254.169.254", SERVICE_API_KEY: "k", SERVICE_ALLOW_HTTP: "true" },
      /^weir: SERVICE_URL names a link-local address, as of cloud metadata/,
    ],
    ["no concurrency", ["screen", "LIST"], { SERVICE_CONCURRENCY: "0" }, /^weir: bad settings: SERVICE_CONCURRENCY: /],
    ["an absent policy", ["screen", "LIST"], { POLICY_FILE: absent }, /^weir: cannot read the policy file \/nowhere/],
    ["a policy that is none", ["screen", "LIST"], { POLICY_FILE: "LIST" }, /^weir: cannot read the policy file /],
    [
      "an absent label file",
      ["screen", "LIST", "--chain", "1"],
      { LABELS_FILES: "/nowhere/a.csv" },
      /LABELS_FILES names \/nowhere\/a\.csv, which cannot be read: ENOENT.*correct it, or take it out/,
    ],
    [
      "serving without a key",
      ["serve"],
      {},
      /^weir: no API key: set SERVICE_API_KEYS, or put one in a file and set SERVICE_API_KEYS_FILE/,
    ],
    [
      "serving on a bad port",
      ["serve"],
      { PORT: "x", SERVICE_API_KEYS: "k" },
      /^weir: bad settings: PORT: must be a port number/,
    ],
  ])("the message names the mistake: %s", async (_name, args, env, message) => {
    const { folder, file } = await inputOf("list.txt", `${REAL}\n`);
    const fill = (text: string) => (text === "LIST" ? file : text);
    const out =
      args[0] === "screen" && args.length > 1 && !args.includes("--out") ? ["--out", path.join(folder, "out")] : [];

    const { status, stderr } = await run(
      [...args.map(fill), ...out],
      Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)])),
    );

    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(stderr).not.toContain("hunter2");
    expect(status).toBe(1);
  });
});
