import { describe, expect, test } from "vitest";
import { routes } from "../../../src/api/routes.ts";
import { send, service } from "../../support/service.ts";
import { expectContract } from "./expect-contract.ts";
import { posts } from "./mutations.ts";

const app = service();

describe("a body with a hostile shape is refused quickly", () => {
  const many = 100_000;
  test.each([
    ["arrays never closed", "[".repeat(many)],
    ["arrays closed", "[".repeat(many) + "]".repeat(many)],
    ["objects", `${'{"a":'.repeat(many)}1${"}".repeat(many)}`],
    ["both in turn", `${'[{"a":'.repeat(many)}1${"}]".repeat(many)}`],
    ["closing ones only", "]".repeat(many)],
    ["quotes", '"'.repeat(many)],
    ["backslashes", `"${"\\".repeat(many)}`],
    ["digits", "1".repeat(many)],
    ["minus signs", "-".repeat(many)],
    ["nulls", "null".repeat(many)],
    ["white space", " ".repeat(many)],
    ["NUL", "\0".repeat(many)],
  ])("%s", async (_what, body) => {
    for (const name of posts) {
      const answered = await send(app, { url: routes[name].path, body });

      expectContract(answered);
      expect(answered.http).toBeLessThan(500);
      expect(answered.http).toBeGreaterThanOrEqual(400);
    }
  });

  test.each([
    ["an array of empty arrays", `[${"[],".repeat(many)}[]]`],
    ["an object of many fields", `{${Array.from({ length: 50_000 }, (_, i) => `"f${i}":${i}`).join(",")}}`],
    ["one field many times", `{${'"chain_id":"1",'.repeat(50_000)}"address":""}`],
    ["a batch of numbers", `{"user_addresses":[${"1,".repeat(many)}1]}`],
    ["a batch of empty items", `{"user_addresses":[${"{},".repeat(349_000)}{}]}`],
    ["keys without anything", JSON.stringify(instructionOf(Array.from({ length: 349_000 }, () => ({}))))],
    ["operations without anything", `{"tron_transactions":[{"raw_data":{"contract":[${"{},".repeat(349_000)}{}]}}]}`],
    ["lists that clash", `{"sol_transactions":[${"1,".repeat(9_000)}1],"transactions":[${"2,".repeat(900)}1]}`],
    ["a huge address", JSON.stringify({ chain_id: "1", address: "0".repeat(900_000) })],
    ["a huge chain", JSON.stringify({ chain_id: "1".repeat(900_000), address: "0" })],
    ["a huge base58 address", JSON.stringify({ chain_id: "solana", address: "z".repeat(900_000) })],
    ["a huge number", `{"chain_id":${"9".repeat(500_000)},"address":"0"}`],
  ])("%s", async (_what, body) => {
    for (const name of posts) {
      const answered = await send(app, { url: routes[name].path, body });

      expectContract(answered);
      expect(answered.http).toBeGreaterThanOrEqual(400);
    }
  });

  test("a prototype in the body changes no prototype", async () => {
    const body = '{"__proto__":{"chain_id":"1","polluted":1},"constructor":{"prototype":{"polluted":1}},"address":"x"}';

    const answered = await send(app, { url: routes.poisoningSingle.path, body });

    expect(answered).toMatchObject({ http: 422, body: { detail: "chain_id: field required" } });
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });
});

function instructionOf(keys: readonly unknown[]): unknown {
  return { sol_transactions: [{ feePayer: "", instructions: [{ programId: "", keys }] }] };
}
