import { expect, test } from "vitest";
import { nodeProblem } from "../../../../src/cli/config/node-version.ts";

test.each(["22.18.0", "22.22.1", "23.6.0", "24.21.0", "100.0.0", "25.0.0-nightly20260101"])(
  "Node %s is new enough",
  (version) => {
    expect(nodeProblem(version)).toBeUndefined();
  },
);

test.each(["8.0.0", "20.20.2", "21.7.3", "22.0.0", "22.9.0", "22.17.1"])(
  "Node %s is refused with its version",
  (version) => {
    expect(nodeProblem(version)).toContain(
      `needs Node 22.18 or later (24 recommended), this is ${version}: install Node`,
    );
  },
);
