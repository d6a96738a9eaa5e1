import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Defaults } from "../../../../../src/adapters/files/input/format.ts";
import { readRecords } from "../../../../../src/adapters/files/input/records.ts";
import { ConfigInvalidError } from "../../../../../src/kernel/errors.ts";
import { emptyFolder } from "../../../../support/folder.ts";

const evm = "0xd9a1c3788d81257612e2581a6ea0ada244853a91";
const user = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
const tron = "TA9SpmD6Fne54b4jEWpCDaHUECdJitspmo";
const bitcoin = "12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h";
const solana = "3PsJzQzV9tYGZ6gQoZq5VQZ4JCwtTjy715F7DdaRrcnR";

async function readFileOf(name: string, content: string, defaults: Defaults, ignored: readonly string[] = []) {
  const file = path.join(await emptyFolder(), name);
  await writeFile(file, content);
  const records = await Array.fromAsync(readRecords({ path: file, defaults, ignored, isFinished: true }));
  return records.map(({ event }) => (event.ok ? event.value : event.detail));
}

describe("a list with addresses of several families", () => {
  const list = (lines: readonly string[], defaults: Defaults) => readFileOf("a.txt", lines.join("\n"), defaults);

  test("the form tells the chain, and users of another family do not apply", async () => {
    expect(await list([evm, tron, bitcoin, solana], { chain: "eth", users: [user], token: user })).toEqual([
      { type: "address", chain_id: "eth", address: evm, user_addresses: [user], token_address: user },
      { type: "address", chain_id: "tron", address: tron },
      { type: "address", chain_id: "bitcoin", address: bitcoin },
      { type: "address", chain_id: "solana", address: solana },
    ]);
  });

  test("without --chain an address of the EVM has a fault, and so have names and chains without screening", async () => {
    expect(
      await list([tron, evm, "vitalik.eth", "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9"], { users: [] }),
    ).toEqual([
      { type: "address", chain_id: "tron", address: tron },
      "an address of EVM chains does not tell its chain: add --chain, for example --chain eth",
      "it is a name: look up the address that it stands for, and check that",
      "an address of LTC, which Weir does not screen",
    ]);
  });

  test("CAIP-10 names its chain itself", async () => {
    expect(await list([`eip155:56:${evm}`, `eip155:1:${evm}`], { users: [] })).toEqual([
      { type: "address", chain_id: "56", address: evm },
      { type: "address", chain_id: "1", address: evm },
    ]);
  });

  test("an EVM address in a list of TRON stays on TRON, and its verdict names the fault", async () => {
    expect(await list([evm], { chain: "tron", users: [] })).toEqual([
      { type: "address", chain_id: "tron", address: evm },
    ]);
  });
});

describe("a fault that each row of a CSV would share is refused before the run", () => {
  test("no column of the chain, and no --chain", async () => {
    await expect(readFileOf("a.csv", `address\n${evm}\n`, { users: [] })).rejects.toThrow(
      new ConfigInvalidError(
        "the CSV has no column of the chain: add --chain, for example --chain eth, or a column chain_id",
      ),
    );
    expect(await readFileOf("a.csv", `address\neip155:1:${evm}\n`, { users: [] })).toMatchObject([{ chain_id: "1" }]);
  });

  test("a column of symbols is no column of contracts", async () => {
    const content = `address,Token\n${tron},USDT\n`;
    await expect(readFileOf("a.csv", content, { chain: "tron", users: [] })).rejects.toThrow(
      new ConfigInvalidError(
        "the column Token is read as token_address, and USDT is the symbol of a token, not its contract: leave the column out by --ignore Token",
      ),
    );
    expect(await readFileOf("a.csv", content, { chain: "tron", users: [] }, ["Token"])).toEqual([
      { type: "address", chain_id: "tron", address: tron },
    ]);
  });

  test("a symbol in a later row is the fault of that row", async () => {
    const content = `address,token\n${evm},${user}\n${evm},Tether USD\n`;
    expect((await readFileOf("a.csv", content, { chain: "1", users: [] })).at(-1)).toBe(
      "token_address: Tether USD is the symbol of a token, not its contract",
    );
  });
});
