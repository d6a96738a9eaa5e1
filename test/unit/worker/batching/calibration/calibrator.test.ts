import { describe, expect, test } from "vitest";
import { formatOf } from "../../../../../src/chains/address-format.ts";
import { RejectedError, UnavailableError } from "../../../../../src/worker/answers/service-errors.ts";
import {
  calibrationRequests,
  isFlaggedAlone,
  probesOf,
} from "../../../../../src/worker/batching/calibration/calibration-rules.ts";
import { batchPositions } from "../../../../../src/worker/batching/canary.ts";
import { FakeService } from "../../../../fakes/fake-service.ts";
import { ReferenceService } from "../../../../fakes/reference-services/reference-service.ts";
import type { Rule } from "../../../../fakes/reference-services/rule.ts";
import { poolableRules } from "../../../../fakes/reference-services/rules.ts";
import { singleAnswer } from "../../../../fakes/single-answer.ts";
import { lookalikeGroups } from "../../../../fixtures/lookalikes.generated.ts";
import { calibratorOf } from "../../../../support/calibrator-setup.ts";
import { addressOf, chainOf, evm, partAbout } from "../../../../support/poisoning-parts.ts";

const part = (i: number) => partAbout({ target: evm(i), users: [evm(100 + i)] });
const evmFormat = formatOf("evm", evm(1));
const byFamily = poolableRules["by family"];

test("a format is calibrated once, for all waiting entries and for every chain", async () => {
  const service = new ReferenceService(byFamily);
  const { calibrator } = calibratorOf(service);
  expect([calibrator.isUnknownFor(part(1)), calibrator.mayPool(part(1))]).toEqual([true, true]);
  const mayPool = calibrator.calibrate(part(1));

  expect(calibrator.mayPool(part(2))).toBe(mayPool);
  expect([calibrator.running(part(2)), calibrator.isUnknownFor(part(2)), calibrator.find("evm", evmFormat)]).toEqual([
    mayPool,
    true,
    undefined,
  ]);
  expect(await mayPool).toBe(true);

  expect(service.requests).toHaveLength(calibrationRequests("evm", evmFormat));
  const onBsc = partAbout({ target: evm(6), chain: chainOf("56") });
  expect([calibrator.running(onBsc), calibrator.isUnknownFor(onBsc), calibrator.mayPool(onBsc)]).toEqual([
    undefined,
    false,
    true,
  ]);
});

describe("a calibration is due", () => {
  const isDue = (waiting: number, alone = 0) => {
    const { calibrator } = calibratorOf(new ReferenceService(byFamily));
    for (let i = 0; i < alone; i++) calibrator.askedAlone(part(i));
    return calibrator.isDue(part(0), waiting);
  };

  test("when more entries wait than a calibration and one shared request cost", () =>
    expect([isDue(8 + 1), isDue(8 + 2)]).toEqual([false, true]));

  test("when waiting entries and entries that were sent alone together reach that number", () =>
    expect([isDue(3, 6), isDue(3, 7), isDue(1, 8), isDue(1, 9)]).toEqual([false, true, false, true]));

  test("when other entries reach that number, because an entry that waits again after a refusal counts once", () => {
    const { calibrator } = calibratorOf(new ReferenceService(byFamily));
    const refused = part(1);
    for (let i = 0; i < 3; i++) calibrator.askedAlone(refused);

    expect([calibrator.wasAskedAlone(refused), calibrator.wasAskedAlone(part(1))]).toEqual([true, false]);
    expect([calibrator.isDue(refused, 8), calibrator.isDue(refused, 9)]).toEqual([false, true]);
  });

  test("by the entries of its own format only", () => {
    const { calibrator } = calibratorOf(new ReferenceService(byFamily));
    const bitcoin = partAbout({
      target: addressOf(lookalikeGroups.bitcoinBech32[0]?.[0] ?? "", "bitcoin"),
      chain: chainOf("bitcoin"),
    });
    for (let i = 0; i < 9; i++) calibrator.askedAlone(part(i));

    expect([calibrator.isDue(bitcoin, 1), calibrator.isDue(part(0), 1)]).toEqual([false, true]);
  });
});

test("each probe is sent alone, on the chain of the entry that triggered the calibration", async () => {
  const service = new ReferenceService(byFamily);
  const { calibrator } = calibratorOf(service);
  const onBase = partAbout({ target: evm(1), chain: chainOf("8453") });
  await calibrator.calibrate(onBase);

  expect(service.requests).toEqual(
    probesOf("evm", evmFormat)
      // Flagged pairs are also sent without their user.
      .flatMap((probe) =>
        probe.shape.prefix + probe.shape.suffix === 7
          ? batchPositions.flatMap((place) => [probe[place], { target: probe[place].target }])
          : [probe.front],
      )
      .map(({ target, ...with_ }) => ({
        route: "poisoningSingle",
        request: { chain_id: "8453", address: target, ...("user" in with_ ? { user_address: with_.user } : {}) },
      })),
  );
});

test("an unsupported chain is tried once, and says nothing about other chains", async () => {
  const service = new ReferenceService({ ...byFamily, refuses: "56" });
  const { calibrator } = calibratorOf(service);
  const onBsc = partAbout({ target: evm(1), chain: chainOf("56") });

  expect(await calibrator.calibrate(onBsc)).toBe(false);
  expect(service.requests).toHaveLength(1);
  expect([onBsc, part(2)].map((each) => [calibrator.isUnknownFor(each), calibrator.mayPool(each)])).toEqual([
    [false, false],
    [true, true],
  ]);
  expect(calibrator.isDue(part(2), 10)).toBe(true);

  expect(await calibrator.calibrate(part(2))).toBe(true);
  expect(calibrator.mayPool(onBsc)).toBe(true);
});

describe("the result of a calibration", () => {
  const found = async (rule: Rule) => {
    const { calibrator } = calibratorOf(new ReferenceService(rule));
    return { mayPool: await calibrator.calibrate(part(1)), calibration: calibrator.find("evm", evmFormat) };
  };

  test("the result is the weakest flagged pair, with every shape that may be flagged", async () => {
    const lenient: Rule = { imitatesUser: (users) => () => users.length > 0 };
    const probes = probesOf("evm", evmFormat);
    const shapes = [
      { prefix: 2, suffix: 4 },
      { prefix: 3, suffix: 3 },
      { prefix: 3, suffix: 4 },
    ];

    expect(probes.map(({ shape }) => shape)).toEqual(shapes);
    expect((await found(byFamily)).calibration).toEqual({ canaries: probes[2], flaggedShapes: shapes });
    expect((await found(lenient)).calibration).toEqual({ canaries: probes[0], flaggedShapes: shapes });
  });

  test("is_poisoning counts as a flag, mimics_exchange does not", async () => {
    expect((await found(poolableRules["is_poisoning alone"])).mayPool).toBe(true);
    const blind: Rule = { imitatesUser: () => () => false };
    const { mayPool, calibration } = await found(blind);
    expect(mayPool).toBe(false);
    expect(calibration?.canaries).toBeUndefined();
  });

  test.each([
    [{ is_poisoning: "1", mimics_user: "0", mimics_exchange: "0" }, true],
    [{ is_poisoning: "0", mimics_user: "1", mimics_exchange: "0" }, true],
    [{ is_poisoning: "0", mimics_user: "0", mimics_exchange: "1" }, false],
  ] as const)("%j alone counts as a flag: %j", async (flags, isFlag) => {
    const service = new FakeService().on("poisoningSingle", () => singleAnswer(evm(2), { target_address: flags }));
    const pair = { user: evm(1), target: evm(2) };

    expect(await isFlaggedAlone(chainOf("1"), pair, service, new AbortController().signal)).toBe(isFlag);
  });
});

test.each(batchPositions)("a shape is no canary if its pair for the %s is not flagged", async (place) => {
  const probes = probesOf("evm", evmFormat);
  const unflagged = probes[0]?.[place].target;
  const { calibrator } = calibratorOf(
    new ReferenceService({ imitatesUser: (users) => (asked) => users.length > 0 && asked.address !== unflagged }),
  );
  await calibrator.calibrate(part(1));

  expect(calibrator.find("evm", evmFormat)?.canaries).toEqual(probes[1]);
});

test.each([
  [
    "flagged in any company",
    true,
    "the service flags lookalikes that were made to try it without the address that they imitate, too: does it flag everything?",
  ],
  ["never flagged", false, "the service flags none of the lookalikes that were made to try it: does it detect any?"],
])("a target that is %s is no canary, and the log states the reason", async (_how, isFlagged, says) => {
  const rule: Rule = { imitatesUser: () => () => isFlagged };
  const { calibrator, log } = calibratorOf(new ReferenceService(rule));

  expect(await calibrator.calibrate(part(1))).toBe(false);
  expect(log.messages("error")).toEqual([says]);
  expect(calibrator.blindFamilies).toEqual(isFlagged ? [] : ["evm"]);
});

test("an answer about another address is rejected", async () => {
  const flags = { is_poisoning: "1", mimics_user: "1", mimics_exchange: "0" } as const;
  const service = new FakeService().on("poisoningSingle", () => singleAnswer(evm(9), { target_address: flags }));

  await expect(
    isFlaggedAlone(chainOf("1"), { user: evm(1), target: evm(2) }, service, new AbortController().signal),
  ).rejects.toThrow("the answer echoes another address than was asked");
});

test("formats are calibrated separately, also formats of one chain", async () => {
  const service = new ReferenceService(byFamily);
  const { calibrator } = calibratorOf(service);
  const [[base58] = [], [bech32] = []] = [lookalikeGroups.bitcoinBase58[0], lookalikeGroups.bitcoinBech32[0]];
  const bitcoin = (text = "") => partAbout({ target: addressOf(text, "bitcoin"), chain: chainOf("bitcoin") });
  const foundFor = (text = "") => calibrator.find("bitcoin", formatOf("bitcoin", bitcoin(text).target))?.canaries;
  await calibrator.calibrate(bitcoin(base58));

  expect(batchPositions.map((place) => foundFor(base58)?.[place].target[0])).toEqual(["1", "1", "1"]);
  expect(foundFor(bech32)).toBeUndefined();
  await calibrator.calibrate(bitcoin(bech32));
  expect(foundFor(bech32)?.front.target.slice(0, 4)).toBe("bc1q");
});

describe("a calibration that fails", () => {
  test("a failed calibration is due again after ten lone entries, then after twenty, whatever waits", async () => {
    const reference = new ReferenceService(byFamily);
    let isDown = true;
    const { calibrator } = calibratorOf({
      ask: async (route, request, signal) => {
        const answer = await reference.ask(route, request, signal);
        if (isDown) throw new RejectedError("422");
        return answer;
      },
    });
    const aloneUntilDue = () => {
      for (let alone = 0; ; alone++) {
        if (calibrator.isDue(part(1), 1_000)) return alone;
        calibrator.askedAlone(part(1));
      }
    };

    const counts = [];
    for (let i = 0; i < 3; i++) {
      counts.push(aloneUntilDue());
      expect(await calibrator.calibrate(part(1))).toBe(false);
    }
    expect(counts).toEqual([0, 10, 20]);
    isDown = false;
    expect(await calibrator.calibrate(part(1))).toBe(true);
  });

  test("a temporary failure is retried within the calibration", async () => {
    const reference = new ReferenceService(byFamily);
    let failures = 4;
    const { calibrator, clock } = calibratorOf({
      ask: async (route, request, signal) => {
        const answer = await reference.ask(route, request, signal);
        if (failures-- > 0) throw new UnavailableError("503");
        return answer;
      },
    });

    expect(await clock.runUntil(calibrator.calibrate(part(1)))).toBe(true);
    expect(reference.requests).toHaveLength(4 + 8);
  });
});

test.each([
  ["evm", "1", evm(1)],
  ["tron", "tron", lookalikeGroups.tron[0]?.[0]],
  ["solana", "solana", "So11111111111111111111111111111111111111112"],
  ["bitcoin", "bitcoin", lookalikeGroups.bitcoinBase58[0]?.[0]],
  ["bitcoin", "bitcoin", lookalikeGroups.bitcoinBech32[0]?.[0]],
] as const)(
  "a calibration of %s takes the estimated requests at a service with Weir's own rule (%#)",
  async (family, chain, text) => {
    const service = new ReferenceService(byFamily);
    const { calibrator } = calibratorOf(service);
    const target = addressOf(text ?? "", family);

    expect(await calibrator.calibrate(partAbout({ target, chain: chainOf(chain) }))).toBe(true);
    expect(service.requests).toHaveLength(calibrationRequests(family, formatOf(family, target)));
  },
);
