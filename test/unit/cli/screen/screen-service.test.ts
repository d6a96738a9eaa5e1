import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readEnv, ScreenEnv } from "../../../../src/cli/config/config.ts";
import { chooseService } from "../../../../src/cli/screen/screen-service.ts";
import { ConfigInvalidError } from "../../../../src/kernel/errors.ts";
import { emptyFolder } from "../../../support/folder.ts";

const choiceOf = (env: Record<string, string>) => chooseService(readEnv(ScreenEnv, env));
const unlabelled = { BUNDLED_LABELS: "false" };

/** The settings of nodes: a variable, and the files that may replace it. */
const nodes = [
  ["SOLANA_RPC_URL", "https://a.example/hunter2", "SOLANA_RPC_URL"],
  ["SOLANA_RPC_URL_FILE", "/run/solana", "SOLANA_RPC_URL"],
  ["TRON_RPC_URL", "https://a.example", "TRON_RPC_URL"],
  ["EVM_RPC_URLS", '{"1": "https://a.example/hunter2"}', "EVM_RPC_URLS"],
  ["EVM_RPC_URLS_FILE", "/run/evm", "EVM_RPC_URLS"],
] as const;

describe("the embedded service", () => {
  test("is chosen without SERVICE_URL", async () => {
    expect((await choiceOf(unlabelled)).service).toBe("embedded");
  });

  test.each(nodes)("gives other verdicts with nodes by %s, for any nodes", async (variable, value, setting) => {
    const without = await choiceOf(unlabelled);
    const with_ = await choiceOf({ ...unlabelled, [variable]: value });
    const others = { SOLANA_RPC_URL: "https://b.example", TRON_RPC_URL: "https://b.example", EVM_RPC_URLS: "{}" };

    expect(with_.labels).not.toBe(without.labels);
    expect(await choiceOf({ ...unlabelled, [setting]: others[setting] })).toEqual(with_);
  });
});

describe("a remote service", () => {
  const elsewhere = { SERVICE_URL: "https://service.example" };

  test("gets no prices, which are refused", async () => {
    await expect(choiceOf({ ...elsewhere, SOLANA_PRICES_FILE: "/run/prices" })).rejects.toThrow(
      /^SOLANA_PRICES_FILE is for the embedded service, and SERVICE_URL names another/,
    );
  });

  test("is called at its base URL, and has its own labels", async () => {
    expect(await choiceOf(elsewhere)).toEqual({ service: "https://service.example", labels: "" });
  });

  test("is combined with lists of the run itself, and a change of the lists is reported", async () => {
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

  test.each(nodes)("uses no node of %s, which is refused", async (variable, value, setting) => {
    await expect(choiceOf({ ...elsewhere, [variable]: value })).rejects.toEqual(
      new ConfigInvalidError(
        `${setting} is for the embedded service, and SERVICE_URL names another: give it to that one, or unset one of the two`,
      ),
    );
  });
});
