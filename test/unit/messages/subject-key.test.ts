import { expect, test } from "vitest";
import { sha256 } from "../../../src/kernel/hash.ts";
import { subjectKey } from "../../../src/messages/subject-key.ts";
import { subject } from "../../fakes/evidence.ts";

test("the key of an address names its family, whichever chain of the family the event names", () => {
  expect(subjectKey(subject)).toBe(`evm:${subject.address}`);
  expect(subjectKey({ ...subject, chain_id: "137" })).toBe(`evm:${subject.address}`);
});

test("a text that is too long for an address gets a key of bounded length", () => {
  const address = "a".repeat(124);

  expect(subjectKey({ ...subject, address })).toBe(`evm:${address}`);
  expect(subjectKey({ ...subject, address: `${address}a` })).toBe(sha256(`evm:${address}a`));
});
