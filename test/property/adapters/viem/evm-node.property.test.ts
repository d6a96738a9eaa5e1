import fc from "fast-check";
import { test } from "vitest";
import type { RpcAnswer } from "../../../../src/adapters/http/client/json-rpc-endpoint.ts";
import { openEvmNode } from "../../../../src/adapters/viem/evm-node.ts";
import { NodeUnavailableError } from "../../../../src/service/evm/node.ts";
import { fakeEndpoint, honest } from "../../../fakes/fake-endpoint.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { VirtualClock } from "../../../fakes/virtual-clock.ts";

const never = new AbortController().signal;
const address = `0x${"11".repeat(20)}`;
const slot = `0x${"0".repeat(64)}`;

/** Random values, with a good share of nearly valid ones. */
const garbage = fc.oneof(
  fc.jsonValue(),
  fc.string().map((text) => `0x${text}`),
  fc.uint8Array({ maxLength: 70 }).map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`),
);
const answer: fc.Arbitrary<RpcAnswer> = fc.oneof(
  garbage.map((result) => ({ result })),
  fc.record({ code: fc.integer(), message: fc.string() }).map((failure) => ({ failure })),
);

test("for any answer of an endpoint, the result is bytes and words of the right size, or nothing", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(answer, { minLength: 1 }),
      fc.option(fc.constant(`0x${"ca".repeat(20)}`)),
      async (said, at) => {
        let next = 0;
        const liar = fakeEndpoint("liar", (request) =>
          request.method === "eth_chainId" ? honest()(request) : (said[next++ % said.length] ?? { result: null }),
        );
        const clock = new VirtualClock();
        const multicall = at ?? undefined;
        const node = openEvmNode({ chainId: "1", endpoints: [liar], multicall, clock, log: new FakeLog() });
        const told = async <T>(asked: Promise<T>): Promise<T | undefined> => {
          try {
            return await clock.runUntil(asked);
          } catch (thrown) {
            if (thrown instanceof NodeUnavailableError) return undefined;
            throw thrown;
          }
        };

        const head = await told(node.head(never));
        const state = await told(
          node.read(
            [
              { of: "code", address },
              { of: "nonce", address },
              { of: "storage", address, slot },
            ],
            1n,
            never,
          ),
        );
        const calls = await told(
          node.call(
            [
              { to: address, data: "0x01" },
              { to: address, data: "0x02" },
            ],
            1n,
            never,
          ),
        );

        return (
          (head === undefined || (typeof head === "bigint" && head >= 0n)) &&
          (state === undefined || (state.length === 3 && state[1]?.length === 32 && state[2]?.length === 32)) &&
          (calls === undefined ||
            (calls.length === 2 && calls.every((call) => !call.ok || call.data instanceof Uint8Array)))
        );
      },
    ),
  );
});
