import { expect, test } from "vitest";
import { sha256 } from "../../../src/kernel/sha256.ts";
import { subjectKey } from "../../../src/messages/subject-key.ts";
import { subject } from "../../fakes/evidence.ts";

test("an address is keyed by its family, whichever chain of it the event names", () => {
  expect(subjectKey(subject)).toBe(`evm:${subject.address}`);
  expect(subjectKey({ ...subject, chain_id: "137" })).toBe(`evm:${subject.address}`);
});

test("what is too long for an address makes no key of its length", () => {
  const address = "a".repeat(124);

  expect(subjectKey({ ...subject, address })).toBe(`evm:${address}`);
  expect(subjectKey({ ...subject, address: `${address}a` })).toBe(sha256(`evm:${address}a`));
});
