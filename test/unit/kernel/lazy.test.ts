import { expect, test } from "vitest";
import { lazy } from "../../../src/kernel/collections.ts";

test("the value is made on first use, and only once", () => {
  let made = 0;
  const table = lazy(() => ({ made: ++made }));

  expect(made).toBe(0);
  expect([table(), table()]).toEqual([{ made: 1 }, { made: 1 }]);
  expect(table()).toBe(table());
});
