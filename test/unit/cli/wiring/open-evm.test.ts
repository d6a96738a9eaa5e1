import { expect, test } from "vitest";
import { readEnv } from "../../../../src/cli/config/config.ts";
import { EvmEnv } from "../../../../src/cli/config/env/nodes-env.ts";
import { openEvm } from "../../../../src/cli/wiring/open-evm.ts";
import { Lifecycle } from "../../../../src/kernel/lifecycle.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";

test("every configured chain has a node, known to viem or not", async () => {
  const opened = new Lifecycle();
  const log = new FakeLog();
  const config = readEnv(EvmEnv, {
    EVM_RPC_URLS: '{"1": "https://a.example", "84531": "https://b.example", "99999999999": "https://c.example"}',
  });

  const evm = await openEvm(config, opened, log);

  expect(["1", "84531", "99999999999", "56"].map((id) => evm?.nodes.find(id)?.chainId)).toEqual([
    "1",
    "84531",
    "99999999999",
    undefined,
  ]);
  expect(log.lines).toEqual([
    { level: "info", message: "EVM chains are read from these nodes", fields: { chains: 3, endpoints: 3 } },
  ]);
  expect(await opened.close(1_000)).toEqual([]);
});

test("without URLs there are no nodes", async () => {
  expect(await openEvm(readEnv(EvmEnv, {}), new Lifecycle(), new FakeLog())).toBeUndefined();
});
