/**
 * The sections "Token security" and "States and transitions" of the service's interface. Source:
 * docs/decisions/0001-open-points.md, which lists the open points of the interface.
 */
import { describe, expect, test } from "vitest";
import { routes } from "../../src/api/routes.ts";
import { TokenSecurityResponse } from "../../src/api/schemas/token-security.ts";
import { call, evm, mismatchOf, service, solana } from "../support/service.ts";
import { objectPaths, type Path, shown } from "./paths.ts";
import { received } from "./recorded.ts";
import { answers, requests } from "./samples.ts";

const app = service();

describe("the request", () => {
  test("wait is false unless it is given", async () => {
    const { wait: _wait, ...rest } = requests.tokenSecurity;

    expect(await received("tokenSecurity", rest)).toEqual({ ...rest, wait: false });
  });

  test("wait is false when it is null", async () => {
    expect(await received("tokenSecurity", { ...requests.tokenSecurity, wait: null })).toEqual({
      ...requests.tokenSecurity,
      wait: false,
    });
  });

  test.each([true, false])("wait %j reaches the operation", async (wait) => {
    expect(await received("tokenSecurity", { ...requests.tokenSecurity, wait })).toHaveProperty("wait", wait);
  });

  test.each([
    [{ address: evm.token }, "chainId: field required"],
    [{ chainId: "1" }, "address: field required"],
    [{ chainId: 1, address: evm.token }, "chainId: must be a string"],
    [{ chainId: null, address: evm.token }, "chainId: must be a string"],
    [{ chainId: "1", address: 1 }, "address: must be a string"],
    [{ chainId: "1", address: null }, "address: must be a string"],
    [{ chainId: "1", address: evm.token, wait: "true" }, "wait: must be a boolean"],
    [{ chainId: "1", address: evm.token, wait: 1 }, "wait: must be a boolean"],
  ])("the request %j is 422", async (fields, detail) => {
    expect(await call(app, "tokenSecurity", fields)).toMatchObject(mismatchOf("tokenSecurity", detail));
  });

  test.each(["nowhere", "", "0", "solana", "tron", "bitcoin"])("chain %j is unsupported", async (chainId) => {
    expect(await call(app, "tokenSecurity", { chainId, address: evm.token })).toMatchObject({
      http: 400,
      body: { code: "-1", status: "unsupported chain", detail: `unsupported chainId: ${chainId}` },
    });
  });

  test.each([
    ["", "address: empty address"],
    ["0x12", "address: must have 40 hex digits after 0x, has 2"],
    [solana.real, "address: must start with 0x"],
  ])("the address %j is invalid", async (address, detail) => {
    expect(await call(app, "tokenSecurity", { chainId: "1", address })).toMatchObject({
      http: 400,
      body: { code: "-1", status: "invalid address", detail },
    });
  });
});

describe("the completed answer", () => {
  const leaves = objectPaths(answers.tokenSecurity["data"]).flatMap((at) =>
    Object.entries(Object(valueAt(at)))
      .filter(([, value]) => typeof value !== "object")
      .map(([name, value]) => ({ name: shown([...at, name]), path: [...at, name], value })),
  );

  test("the answer has a value for every name of the interface", () => {
    expect(leaves.length).toBe(30);
  });

  test.each(leaves.filter(({ name }) => name !== "scanned_time"))(
    "$name is a string, never a number or a boolean",
    ({ path }) => {
      for (const wrong of [1, true, null, undefined]) {
        expect(TokenSecurityResponse.safeParse(withLeaf(path, wrong)).success).toBe(false);
      }
    },
  );

  test.each([1.5, "1767225600", null])("scanned_time %j is no Unix time", (wrong) => {
    expect(TokenSecurityResponse.safeParse(withLeaf(["scanned_time"], wrong)).success).toBe(false);
  });

  test.each(["basic_info.is_mintable", "security_risks.is_honeypot", "privileges.dev_malicious"])(
    "%s is '0' or '1' and nothing else",
    (name) => {
      const parses = ["0", "1", "2", "", "true"].map(
        (flag) => TokenSecurityResponse.safeParse(withLeaf(name.split("."), flag)).success,
      );

      expect(parses).toEqual([true, true, false, false, false]);
    },
  );

  test("fields that a later version adds are kept", () => {
    const more = withLeaf(["basic_info", "later"], "1");

    expect(TokenSecurityResponse.parse(more)).toEqual(more);
  });
});

describe("the answer in progress", () => {
  test("an answer in progress has pollAfter and no data", () => {
    const answer = { code: "0", status: "in progress", pollAfter: 3 };

    expect(routes.tokenSecurity.response.parse(answer)).toEqual(answer);
  });

  test.each([-1, 1.5, "3", null, undefined])("pollAfter %j is no number of seconds", (pollAfter) => {
    const answer = { code: "0", status: "in progress", pollAfter };

    expect(TokenSecurityResponse.safeParse(answer).success).toBe(false);
  });

  test.each([
    ["ok without data", { code: "0", status: "ok", pollAfter: 3 }],
    ["another status", { code: "0", status: "queued", pollAfter: 3 }],
    ["code as a number", { code: 0, status: "in progress", pollAfter: 3 }],
  ])("%s is neither state", (_what, answer) => {
    expect(TokenSecurityResponse.safeParse(answer).success).toBe(false);
  });
});

function valueAt(path: Path): unknown {
  return path.reduce<unknown>((value, step) => Reflect.get(Object(value), step), answers.tokenSecurity["data"]);
}

function withLeaf(path: Path, value: unknown): unknown {
  const answer = structuredClone(answers.tokenSecurity);
  const holder = path.slice(0, -1).reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), answer["data"]);
  Reflect.set(Object(holder), path.at(-1) ?? "", value);
  return answer;
}
