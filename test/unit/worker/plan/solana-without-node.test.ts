/** The verdict on a Solana transaction when the service has no backend for simulations. */
import { expect, test } from "vitest";
import { LabelBook } from "../../../../src/service/labels/label-book.ts";
import { defaultPolicy } from "../../../fakes/events.ts";
import { FakeSink, recordOf } from "../../../fakes/records.ts";
import { workerFor } from "../../../fakes/worker.ts";
import { pay } from "../../../fixtures/solana/vectors.ts";
import * as w from "../../../fixtures/solana/world.ts";
import { inProcessService } from "../../../support/in-process-service.ts";
import { screenRecord } from "../../../support/screen-record.ts";

test("both checks state the missing simulation, and the comparison does not count as unsupported", async () => {
  const sink = new FakeSink();
  const options = { sink, policyFor: () => defaultPolicy, software: "weir/test" };
  const worker = workerFor(inProcessService(LabelBook.of([])), options);
  worker.pool.expectMore(false);
  const event = { type: "transaction", chain_id: "solana", transaction: w.serialized([pay(5n)]) };

  await screenRecord(recordOf(JSON.stringify(event), 1), worker);

  const why = "unsupported chainId: solana; a service of Weir's needs SOLANA_RPC_URL or SOLANA_SNAPSHOT for it";
  const [verdict] = sink.verdicts;
  expect(verdict?.decision).toBe("UNKNOWN");
  expect(verdict?.checks.map(({ check, error }) => [check, error])).toEqual([
    [
      "poisoning",
      {
        code: "CHECK_UNSUPPORTED",
        detail: `the receivers are known only from the simulation, and the simulation failed: ${why}`,
      },
    ],
    ["solana-simulation", { code: "CHECK_UNSUPPORTED", detail: why }],
  ]);
});
