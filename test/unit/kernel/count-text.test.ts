import { expect, test } from "vitest";
import { countText } from "../../../src/kernel/text.ts";

test("one of a thing is singular, zero of it is plural", () => {
  expect([0, 1, 2].map((howMany) => countText(howMany, "event"))).toEqual(["0 events", "1 event", "2 events"]);
});
