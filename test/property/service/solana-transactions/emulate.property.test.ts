/**
 * Laws for every transaction. Expected numbers come from the programs' definitions. A transfer moves the stated amount.
 * A signature costs 5,000 lamports. The fee that a Token-2022 mint withholds is in no balance.
 */
import { getTransferSolInstruction } from "@solana-program/system";
import * as token from "@solana-program/token";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { SolanaEmulateResponse } from "../../../../src/api/schemas/solana-emulate.ts";
import { programs } from "../../../../src/chains/solana/programs.ts";
import { LabelBook } from "../../../../src/service/labels/label-book.ts";
import { operationsOver } from "../../../../src/service/operations.ts";
import { account2022, feeConfig, mint2022, raw, read, sign, u64, write } from "../../../fixtures/solana/vectors.ts";
import * as w from "../../../fixtures/solana/world.ts";
import { propertyRuns } from "../../../support/property-runs.ts";
import { call, service } from "../../../support/service.ts";

const labels = LabelBook.of([]);
const solana = { simulator: w.simulatorOver(), requestId: () => "00000000-0000-4000-8000-000000000000" };
const app = service({ operations: operationsOver({ labels: () => labels, solana }) });
const signer = w.signing(w.user);
const FEE = 5_000n;

async function ask(items: readonly object[], sequence = false): Promise<SolanaEmulateResponse["data"]> {
  const requested_items = { sequence };
  const { http, body } = await call(app, "solanaEmulate", { sol_transactions: items, requested_items });
  expect(http).toBe(200);
  return (body as SolanaEmulateResponse).data;
}

const anInstruction = fc.oneof(
  fc
    .tuple(fc.bigInt({ min: 0n, max: 3_000_000_000n }), fc.constantFrom(w.friend, w.thief, w.user))
    .map(([amount, destination]) => ({
      minted: 0n,
      make: () => getTransferSolInstruction({ source: signer, destination, amount }),
    })),
  fc.bigInt({ min: 0n, max: 400_000_000n }).map((amount) => ({
    minted: 0n,
    make: () =>
      token.getTransferInstruction({ source: w.userTokens, destination: w.friendTokens, authority: signer, amount }),
  })),
  fc.bigInt({ min: 0n, max: 400_000_000n }).map((amount) => ({
    minted: amount,
    make: () => token.getMintToInstruction({ mint: w.mint, token: w.thiefTokens, mintAuthority: signer, amount }),
  })),
  fc.bigInt({ min: 0n, max: 200_000_000n }).map((amount) => ({
    minted: -amount,
    make: () => token.getBurnInstruction({ account: w.userTokens, mint: w.mint, authority: signer, amount }),
  })),
);
const aTransaction = fc.array(anInstruction, { minLength: 1, maxLength: 5 });

test("native changes add up to minus the fee, and token changes to the minted less the burnt amount", async () => {
  await fc.assert(
    fc.asyncProperty(aTransaction, fc.boolean(), async (parts, isStructured) => {
      const instructions = parts.map(({ make }) => make());
      const [result] = (await ask([isStructured ? w.structured(instructions) : w.serialized(instructions)])).results;
      if (result?.error !== null) {
        expect(result?.balance_changes).toEqual([]);
        return;
      }
      const sumOf = (token_address: string) =>
        (result.balance_changes ?? [])
          .filter((each) => each.token_address === token_address)
          .flatMap(({ change_list }) => change_list)
          .reduce((sum, { delta_value }) => sum + BigInt(delta_value), 0n);
      expect(sumOf("native")).toBe(-FEE);
      expect(sumOf(w.mint)).toBe(parts.reduce((sum, { minted }) => sum + minted, 0n));
      for (const change of (result.balance_changes ?? []).flatMap(({ change_list }) => change_list)) {
        expect(BigInt(change.end_value) - BigInt(change.begin_value)).toBe(BigInt(change.delta_value));
        expect(change.delta_value).not.toBe("0");
      }
    }),
    propertyRuns(200),
  );
});

test("a transfer of a mint with a fee loses the withheld fee, which is rounded up and bounded", async () => {
  const [feeMint, source, destination] = [w.named(67), w.named(68), w.named(69)];
  const aFee = fc.tuple(
    fc.integer({ min: 0, max: 10_000 }),
    fc.bigInt({ min: 0n, max: 1_000_000n }),
    fc.bigInt({ min: 0n, max: 10n ** 12n }),
  );
  await fc.assert(
    fc.asyncProperty(aFee, async ([bps, most, amount]) => {
      const simulator = w.simulatorOver(
        w.world([
          [feeMint, mint2022(1, feeConfig(bps, most))],
          [source, account2022(feeMint, w.user, 10n ** 12n)],
          [destination, account2022(feeMint, w.friend, 0n)],
        ]),
      );
      const backend = { simulator, requestId: () => "" };
      const over = service({ operations: operationsOver({ labels: () => labels, solana: backend }) });
      const send = raw(
        programs.token2022,
        [12, ...u64(amount), 6],
        [write(source), read(feeMint), write(destination), sign(w.user)],
      );
      const { body } = await call(over, "solanaEmulate", { sol_transactions: [w.serialized([send])] });
      const [result] = (body as SolanaEmulateResponse).data.results;

      const rounded = (amount * BigInt(bps) + 9_999n) / 10_000n;
      const withheld = rounded < most ? rounded : most;
      const sent = (result?.balance_changes ?? []).filter(({ token_address }) => token_address === feeMint);
      const sum = sent
        .flatMap(({ change_list }) => change_list)
        .reduce((total, { delta_value }) => total + BigInt(delta_value), 0n);
      expect([result?.error, sum]).toEqual([null, -withheld]);
    }),
    propertyRuns(30),
  );
});

test("an answer does not depend on other transactions, and order and number are kept", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aTransaction, { minLength: 1, maxLength: 6 }), async (transactions) => {
      const items = transactions.map((parts, i) => ({
        ...w.serialized(parts.map(({ make }) => make())),
        name: `${i}`,
      }));
      const together = (await ask(items)).results;
      const alone: unknown[] = [];
      for (const item of items) alone.push(...(await ask([item])).results);

      expect(together).toEqual(alone);
    }),
    propertyRuns(60),
  );
});

test("any bytes are answered, or refused with the field's name", async () => {
  const payment = getTransferSolInstruction({ source: signer, destination: w.friend, amount: 5n });
  const tokens = token.getBatchInstruction([
    token.getMintToInstruction({ mint: w.mint, token: w.friendTokens, mintAuthority: signer, amount: 5n }),
    token.getTransferInstruction({ source: w.userTokens, destination: w.thiefTokens, authority: signer, amount: 5n }),
    token.getBurnInstruction({ account: w.userTokens, mint: w.mint, authority: signer, amount: 900_000_000n }),
    token.getApproveInstruction({ source: w.userTokens, delegate: w.thief, owner: signer, amount: 5n }),
  ]);
  const wires = [[payment], [tokens], [payment, tokens]].map((each) => w.wireOf(w.messageBytes(each)));
  const wire = fc.constantFrom(...wires);
  const flipped = fc.tuple(wire, fc.array(fc.nat(), { minLength: 1, maxLength: 4 })).map(([whole, bits]) =>
    bits.reduce((bytes, nat) => {
      const bit = nat % (8 * whole.length);
      return bytes.with(bit >> 3, (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7)));
    }, whole),
  );
  const cut = fc.tuple(wire, fc.nat()).map(([whole, length]) => whole.slice(0, length % (whole.length + 1)));
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 1_300 }), flipped, cut), async (bytes) => {
      const item = { transaction: Buffer.from(bytes).toString("base64") };
      const { http, body } = await call(app, "solanaEmulate", { sol_transactions: [item] });

      if (http === 200) expect((body as SolanaEmulateResponse).data.results).toHaveLength(1);
      else
        expect(body).toMatchObject({
          code: "-1",
          detail: expect.stringMatching(/^sol_transactions\[0\]\.transaction: /),
        });
    }),
    propertyRuns(400),
  );
});

test("sixty-four instructions in one transaction run, and one more is a failed simulation", async () => {
  const memos = (count: number) => w.structured(Array.from({ length: count }, () => raw(programs.memo, [104])));

  expect((await ask([memos(64)])).results[0]?.error).toBeNull();
  expect((await ask([memos(65)])).results[0]?.error).toBe("SanitizeFailure");
  const { results } = await ask([memos(65), memos(64)], true);
  expect(results.map(({ error }) => error)).toEqual(["SanitizeFailure", null]);
});

test.each([
  ["64 KB of base58", { transaction: "2".repeat(65_536), encoding: "base58" }],
  ["64 KB of base64", { transaction: "A".repeat(65_536) }],
  ["64 KB of zeros in base58", { transaction: "1".repeat(65_536), encoding: "base58" }],
  [
    "an instruction of 64 KB",
    { ...w.structured([]), instructions: [{ programId: w.friend, keys: [], data: "A".repeat(65_536) }] },
  ],
  [
    "an instruction of 5,000 accounts",
    w.structured([{ programAddress: w.friend, accounts: Array.from({ length: 5_000 }, () => write(w.user)) }]),
  ],
  [
    "as many instructions as a packet cannot hold",
    w.structured(
      Array.from({ length: 300 }, () =>
        getTransferSolInstruction({ source: signer, destination: w.friend, amount: 5n }),
      ),
    ),
  ],
])("%s is refused", async (_what, item) => {
  expect((await call(app, "solanaEmulate", { sol_transactions: [item] })).http).toBe(422);
});
