import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readEnv, ScreenEnv } from "../../../../src/cli/config/config.ts";
import { chooseService } from "../../../../src/cli/screen/screen-service.ts";
import { ConfigInvalidError } from "../../../../src/kernel/errors.ts";
import { emptyFolder } from "../../../support/folder.ts";

const choiceOf = (env: Record<string, string>) => chooseService(readEnv(ScreenEnv, env));
const unlabelled = { BUNDLED_LABELS: "false" };

/** By a variable and the files in place of it. */
const nodes = [
  ["SOLANA_RPC_URL", "https://a.example/hunter2", "SOLANA_RPC_URL"],
  ["SOLANA_RPC_URL_FILE", "/run/solana", "SOLANA_RPC_URL"],
  ["TRON_RPC_URL", "https://a.example", "TRON_RPC_URL"],
  ["EVM_RPC_URLS", '{"1": "https://a.example/hunter2"}', "EVM_RPC_URLS"],
  ["EVM_RPC_URLS_FILE", "/run/evm", "EVM_RPC_URLS"],
] as const;

describe("the embedded service", () => {
  test("is chosen without a URL", async () => {
    expect((await choiceOf(unlabelled)).service).toBe("embedded");
  });

  test.each(nodes)("gives other verdicts with nodes by %s, whichever they are", async (variable, value, setting) => {
    const without = await choiceOf(unlabelled);
    const with_ = await choiceOf({ ...unlabelled, [variable]: value });
    const others = { SOLANA_RPC_URL: "https://b.example", TRON_RPC_URL: "https://b.example", EVM_RPC_URLS: "{}" };

    expect(with_.labels).not.toBe(without.labels);
    expect(await choiceOf({ ...unlabelled, [setting]: others[setting] })).toEqual(with_);
  });
});

describe("a service elsewhere", () => {
  const elsewhere = { SERVICE_URL: "https://service.example" };

  test("hears of no prices, which are refused", async () => {
    await expect(choiceOf({ ...elsewhere, SOLANA_PRICES_FILE: "/run/prices" })).rejects.toThrow(
      /^SOLANA_PRICES_FILE is for the embedded service, and SERVICE_URL names another/,
    );
  });

  test("is asked at its base, with labels that are its own", async () => {
    expect(await choiceOf(elsewhere)).toEqual({ service: "https://service.example", labels: "" });
  });

  test("is held against lists that the run reads itself, so that a change of them is told", async () => {
    const folder = await emptyFolder();
    const [one, other] = [path.join(folder, "one.csv"), path.join(folder, "other.csv")];
    await writeFile(one, "chain,address,name,kind\n");
    await writeFile(other, "chain,address,name,kind\n# more\n");
    const [first, second] = [
      await choiceOf({ ...elsewhere, LISTS_FILES: one }),
      await choiceOf({ ...elsewhere, LISTS_FILES: other }),
    ];

    expect(first.labels).toMatch(/^[0-9a-f]{64}$/);
    expect(second.labels).not.toBe(first.labels);
    expect(await choiceOf({ ...elsewhere, LABELS_FILES: one })).toEqual(first);
  });

  test.each(nodes)("asks no node by %s, which is refused", async (variable, value, setting) => {
    await expect(choiceOf({ ...elsewhere, [variable]: value })).rejects.toEqual(
      new ConfigInvalidError(
        `${setting} is for the embedded service, and SERVICE_URL names another: give it to that one, or unset one of the two`,
      ),
    );
  });
});
