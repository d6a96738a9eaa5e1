import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { FailureBody } from "../../src/api/failures.ts";
import { routes } from "../../src/api/routes.ts";
import { FailedItem, PoisoningBatchRequest, TargetFlags, TokenFlags } from "../../src/api/schemas/address-poisoning.ts";
import { SolanaEmulateRequest } from "../../src/api/schemas/solana-emulate.ts";
import { ScreeningEvent } from "../../src/messages/event.ts";
import { PoisoningEvidence } from "../../src/messages/evidence.ts";
import { Verdict } from "../../src/messages/verdict.ts";
import { PolicyFile, PolicyTable } from "../../src/policy/policy.ts";

/**
 * Every schema with an output that a decision reads: the answers of the service, the verdict, the policy, and the
 * event. A value that such a schema invents would count as evidence.
 * Requests are not included. The interface documents a default for a field that a client leaves out. The service reads
 * that default, and no decision does. The worker can have no schemas of its own, because imports.test.ts keeps zod out
 * of it.
 */
const decisive: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(Object.entries(routes).map(([name, { response }]) => [`the answer of ${name}`, response])),
  FailedItem,
  FailureBody,
  PoisoningEvidence,
  PolicyFile,
  PolicyTable,
  ScreeningEvent,
  TargetFlags,
  TokenFlags,
  Verdict,
};

/** The parts that add a value that was not sent: zod's names for .default, .prefault and .catch. */
const inventing = ["default", "prefault", "catch"];

/** The places of a schema that invent a value or convert a type by `coerce`. Also the number of visited parts. */
function inventionsIn(root: z.ZodType): { readonly found: readonly string[]; readonly seen: number } {
  const found: string[] = [];
  const seen = new Set<object>();
  const visit = (part: unknown, place: string): void => {
    if (typeof part !== "object" || part === null || seen.has(part)) return;
    seen.add(part);
    if ("_zod" in part) {
      const { def } = part._zod as { readonly def: { readonly type: string; readonly coerce?: boolean } };
      if (inventing.includes(def.type) || def.coerce === true) found.push(`${place}: ${def.type}`);
      visit(def, place);
    } else {
      // The value of a default is a getter that may create a new object each time. Nothing below it is a schema.
      for (const [key, value] of Object.entries(part)) if (key !== "defaultValue") visit(value, `${place}.${key}`);
    }
  };
  visit(root, "");
  return { found, seen: seen.size };
}

describe("the search for inventions", () => {
  test("finds inventions that requests may have: a default of a field, and one in a list of objects", () => {
    expect(inventionsIn(PoisoningBatchRequest).found).toHaveLength(2);
    expect(inventionsIn(SolanaEmulateRequest).found.join()).toContain("isSigner: default");
  });

  test("sees every field of an answer", () => {
    expect(inventionsIn(routes.tokenSecurity.response).seen).toBeGreaterThan(60);
  });
});

test.each(Object.keys(decisive))("%s is read as it was sent: no default, no catch, no coerce", (name) => {
  const { found, seen } = inventionsIn(decisive[name] as z.ZodType);

  expect(seen).toBeGreaterThan(3);
  expect(found).toEqual([]);
});

test("no schema of messages/ invents a value, exported or not", () => {
  const files = globSync("src/{messages,policy}/**/*.ts");
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) expect(readFileSync(file, "utf8"), file).not.toMatch(/\.(default|prefault|catch|coerce)\b/);
});
