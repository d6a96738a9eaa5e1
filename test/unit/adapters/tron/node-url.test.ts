import { expect, test } from "vitest";
import { nodeUrl } from "../../../../src/adapters/tron/node-url.ts";

const strict = { allowHttp: false };

test("a node's URL loses the slash at its end, and keeps its path", () => {
  expect(nodeUrl("https://api.example.org/tron/", strict)).toBe("https://api.example.org/tron");
  expect(nodeUrl("http://127.0.0.1:8090", strict)).toBe("http://127.0.0.1:8090");
  expect(nodeUrl("http://node.example:8090", { allowHttp: true })).toBe("http://node.example:8090");
});

test.each([
  ["http://node.example", "set TRON_RPC_ALLOW_HTTP=true where that is meant"],
  ["https://user:hunter2@node.example", "the node knows its clients by TRON_RPC_API_KEY"],
  ["https://node.example/?key=hunter2", "give what stands before /wallet"],
  ["https://169.254.169.254/", "names a link-local address, as of cloud metadata"],
  ["ftp://node.example", "must be an http or https URL"],
])("%s is refused, and not shown", (text, why) => {
  const refused = () => nodeUrl(text, strict);

  expect(refused).toThrow(`TRON_RPC_URL `);
  expect(refused).toThrow(why);
  expect(refused).not.toThrow("hunter2");
});
