import { expect, test } from "vitest";
import type { ResponseOf } from "../../../../../src/api/routes.ts";
import { formatOf } from "../../../../../src/chains/address-format.ts";
import { isFlaggedAlone, probesOf } from "../../../../../src/worker/batching/calibration/calibration-rules.ts";
import { clean } from "../../../../fakes/evidence.ts";
import { FakeService } from "../../../../fakes/fake-service.ts";
import { chainOf, evm } from "../../../../support/poisoning-parts.ts";

const echoes = { target_address_input: evm(1), user_address_input: "", token_address_input: "" };
const flagged = { ...clean.target, is_poisoning: "1" };
const error = { code: "internal", detail: "half an answer" };

test.each([
  ["the whole", { data: { target_address: flagged, token_address: {}, ...echoes }, error }],
  ["its data", { data: { target_address: flagged, token_address: {}, ...echoes, error } }],
  ["its target", { data: { target_address: { ...flagged, error }, token_address: {}, ...echoes } }],
])("an answer with an error beside %s is no calibration result", async (_what, answer) => {
  const service = new FakeService().on(
    "poisoningSingle",
    () => ({ code: "0", status: "ok", ...answer }) as ResponseOf<"poisoningSingle">,
  );

  await expect(
    isFlaggedAlone(chainOf("1"), { target: evm(1) }, service, new AbortController().signal),
  ).rejects.toMatchObject({ code: "ANSWER_INVALID", message: "the answer carries an error beside its data" });
});

test("a format of another family has no probes", () => {
  expect(() => probesOf("tron", formatOf("evm", evm(1)))).toThrow("no canary pairs for tron");
});
