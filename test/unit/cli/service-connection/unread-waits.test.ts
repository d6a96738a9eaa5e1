import { expect, test } from "vitest";
import { unreadWaits } from "../../../../src/cli/service-connection/unread-waits.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";

test("each text is logged once, and ten at most", () => {
  const log = new FakeLog();
  const tell = unreadWaits(log);
  for (let i = 0; i < 30; i++) tell(`soon ${i % 12}`);

  expect(log.messages("warn")).toHaveLength(10);
});
