import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { NodeDouble } from "../fakes/tron/node-double.ts";
import * as p from "../fixtures/tron/parts.ts";
import { emptyFolder } from "../support/folder.ts";
import { deadUrl, listen } from "../support/http-server.ts";
import { start } from "../support/weir.ts";

const KEY = "a-key-of-the-tests";

test("weir serve executes TRON transactions on the configured nodes, past a node that is down", async () => {
  const node = await NodeDouble.start();
  for (const account of [p.user, p.friend, p.thief]) node.account(account, { balance: 10n });
  const token = await node.deploy("DivertingTrc20", p.user, p.word(1_000), p.addressWord(p.thief));
  const file = path.join(await emptyFolder(), "node-key");
  writeFileSync(file, "the-key-of-the-node\n");
  const serving = start(["serve"], {
    SERVICE_API_KEYS: KEY,
    PORT: "0",
    TRON_RPC_URL: `${await deadUrl()}, ${await listen(node.listener)}`,
    TRON_RPC_API_KEY_FILE: file,
  });
  const [, url = ""] = await serving.untilSaid(/"url":"(http:[^"]+)"/);

  const response = await fetch(`${url}/v2/svc/transaction-security`, {
    method: "POST",
    headers: { "x-api-key": KEY, "content-type": "application/json" },
    body: JSON.stringify({ tron_transactions: [p.call(token, p.transferOf(p.friend, 100))] }),
  });

  expect(await response.json()).toEqual({
    code: "0",
    status: "ok",
    data: {
      security: {
        overall_score: 4,
        overall_risk_level: "High Risk",
        recommended_action: "BLOCK",
        risk_details: [
          {
            name: "moves_other_tokens",
            description: `says transfer, and takes 99 raw units of ${token} from you to ${p.thief}`,
          },
          {
            name: "recipient_gets_less",
            description: `says that ${p.friend} gets 100 raw units, of which 1 arrive`,
          },
        ],
      },
    },
  });
  expect(new Set(node.received.map(({ headers }) => headers["tron-pro-api-key"]))).toEqual(
    new Set(["the-key-of-the-node"]),
  );
});
