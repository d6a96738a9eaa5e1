import { describe, expect, test } from "vitest";
import { formatOf } from "../../../../src/chains/address-format.ts";
import type { ResponseOf } from "../../../../src/contract/routes.ts";
import { Gate } from "../../../../src/worker/pace/gate.ts";
import { isFlaggedAlone, probesOf } from "../../../../src/worker/poisoning-pool/calibrate.ts";
import { places } from "../../../../src/worker/poisoning-pool/calibration.ts";
import { Calibrator } from "../../../../src/worker/poisoning-pool/calibrator.ts";
import type { SecurityService } from "../../../../src/worker/ports.ts";
import { RejectedError, UnavailableError } from "../../../../src/worker/service-errors.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { ReferenceService } from "../../../fakes/reference-services/reference-service.ts";
import type { Rule } from "../../../fakes/reference-services/rule.ts";
import { poolableRules } from "../../../fakes/reference-services/rules.ts";
import { evenly } from "../../../fakes/turns.ts";
import { VirtualClock } from "../../../fakes/virtual-clock.ts";
import { lookalikeGroups } from "../../../fixtures/lookalikes.generated.ts";
import { addressOf, chainOf, evm, partAbout } from "../../../support/poisoning-parts.ts";

function calibratorOf(service: SecurityService) {
  const clock = new VirtualClock();
  const random = () => 0.5;
  const log = new FakeLog();
  const gate = new Gate({
    slots: { run: (job) => job(), pace: () => {} },
    learner: undefined,
    headroom: undefined,
    weightOf: evenly,
    clock,
    random,
    log,
    reloadKey: async () => false,
    patienceMs: Number.POSITIVE_INFINITY,
    keyIsFixed: false,
  });
  return {
    log,
    clock,
    calibrator: new Calibrator(service, { gate, clock, random, signal: new AbortController().signal }, log),
  };
}

const noMore = { user_address_input: "", token_address_input: "" };
const part = (i: number) => partAbout({ target: evm(i), users: [evm(100 + i)] });
const evmFormat = formatOf("evm", evm(1));
const byFamily = poolableRules["by family"];

test("a format is calibrated once as many parts have come as it has probes, and then at once for all", async () => {
  const service = new ReferenceService(byFamily);
  const { calibrator } = calibratorOf(service);

  expect([1, 2, 3].map((i) => calibrator.admit(part(i)))).toEqual([false, false, false]);
  expect(service.requests).toEqual([]);
  const [fourth, fifth] = [calibrator.admit(part(4)), calibrator.admit(part(5))];
  expect(calibrator.find("evm", evmFormat)).toBeUndefined();
  expect(await Promise.all([fourth, fifth])).toEqual([true, true]);

  expect(service.requests).toHaveLength(8);
  expect(calibrator.admit(partAbout({ target: evm(6), chain: chainOf("56") }))).toBe(true);
  expect(service.requests).toHaveLength(8);
});

test("each probe is asked alone, on the chain of the part that came", async () => {
  const service = new ReferenceService(byFamily);
  const { calibrator } = calibratorOf(service);
  const onBase = partAbout({ target: evm(1), chain: chainOf("8453") });
  for (let i = 0; i < 4; i++) await calibrator.admit(onBase);

  expect(service.requests).toEqual(
    probesOf("evm", evmFormat)
      // Those that are flagged are asked about without their user, too.
      .flatMap((probe) =>
        probe.shape.prefix + probe.shape.suffix === 7
          ? places.flatMap((place) => [probe[place], { target: probe[place].target }])
          : [probe.front],
      )
      .map(({ target, ...with_ }) => ({
        route: "poisoningSingle",
        request: { chain_id: "8453", address: target, ...("user" in with_ ? { user_address: with_.user } : {}) },
      })),
  );
});

test("a chain that the service does not have is tried once, and counts no more: the next chain is", async () => {
  const service = new ReferenceService({ ...byFamily, refuses: "56" });
  const { calibrator } = calibratorOf(service);
  const admitted = (chain: string, from: number) =>
    [1, 2, 3, 4].map((i) => calibrator.admit(partAbout({ target: evm(from + i), chain: chainOf(chain) })));

  expect(await Promise.all(admitted("56", 0))).toEqual([false, false, false, false]);
  expect(await Promise.all([...admitted("56", 10), ...admitted("56", 20)])).not.toContain(true);
  expect(service.requests).toHaveLength(1);

  expect(await Promise.all(admitted("1", 30))).toEqual([false, false, false, true]);
  expect(service.requests).toHaveLength(9);
  expect(calibrator.admit(partAbout({ target: evm(40), chain: chainOf("56") }))).toBe(true);
});

describe("what is found out", () => {
  const found = async (rule: Rule) => {
    const { calibrator } = calibratorOf(new ReferenceService(rule));
    let mayPool: boolean | Promise<boolean> = false;
    for (let i = 0; i < 4; i++) mayPool = calibrator.admit(part(i));
    return { mayPool: await mayPool, calibration: calibrator.find("evm", evmFormat) };
  };

  test("the weakest pair that is flagged, and every shape that may be", async () => {
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
  ] as const)("%j alone is a flag: %j", async (flags, isFlag) => {
    const answer = { target_address: flags, token_address: {}, target_address_input: evm(2), ...noMore };
    const service = new FakeService().on(
      "poisoningSingle",
      () => ({ code: "0", status: "ok", data: answer }) as ResponseOf<"poisoningSingle">,
    );
    const pair = { user: evm(1), target: evm(2) };

    expect(await isFlaggedAlone(chainOf("1"), pair, service, new AbortController().signal)).toBe(isFlag);
  });
});

test.each(places)("a shape of which the pair for the %s is not flagged is no canary", async (place) => {
  const probes = probesOf("evm", evmFormat);
  const unflagged = probes[0]?.[place].target;
  const { calibrator } = calibratorOf(
    new ReferenceService({ imitatesUser: (users) => (asked) => users.length > 0 && asked.address !== unflagged }),
  );
  for (let i = 0; i < 4; i++) await calibrator.admit(part(i));

  expect(calibrator.find("evm", evmFormat)?.canaries).toEqual(probes[1]);
});

test("a target that is flagged in any company is no canary", async () => {
  const labelled: Rule = { imitatesUser: () => () => true };
  const { calibrator, log } = calibratorOf(new ReferenceService(labelled));
  let mayPool: boolean | Promise<boolean> = true;
  for (let i = 0; i < 4; i++) mayPool = calibrator.admit(part(i));

  expect(await mayPool).toBe(false);
  expect(log.messages("error")).toEqual([
    "the service flags none of the lookalikes that were made to try it: does it detect any?",
  ]);
});

test("an answer about another address is none", async () => {
  const flags = { is_poisoning: "1", mimics_user: "1", mimics_exchange: "0" } as const;
  const data = { target_address: flags, token_address: {}, target_address_input: evm(9), ...noMore };
  const service = new FakeService().on(
    "poisoningSingle",
    () => ({ code: "0", status: "ok", data }) as ResponseOf<"poisoningSingle">,
  );

  await expect(
    isFlaggedAlone(chainOf("1"), { user: evm(1), target: evm(2) }, service, new AbortController().signal),
  ).rejects.toThrow("the answer echoes another address than was asked");
});

test("formats are calibrated each by itself, also those of one chain", async () => {
  const service = new ReferenceService(byFamily);
  const { calibrator } = calibratorOf(service);
  const [[base58] = [], [bech32] = []] = [lookalikeGroups.bitcoinBase58[0], lookalikeGroups.bitcoinBech32[0]];
  const bitcoin = (text = "") => partAbout({ target: addressOf(text, "bitcoin"), chain: chainOf("bitcoin") });
  const foundFor = (text = "") => calibrator.find("bitcoin", formatOf("bitcoin", bitcoin(text).target))?.canaries;
  for (let i = 0; i < 8; i++) await calibrator.admit(bitcoin(base58));

  expect(places.map((place) => foundFor(base58)?.[place].target[0])).toEqual(["1", "1", "1"]);
  expect(foundFor(bech32)).toBeUndefined();
  for (let i = 0; i < 14; i++) await calibrator.admit(bitcoin(bech32));
  expect(foundFor(bech32)?.front.target.slice(0, 4)).toBe("bc1q");
});

describe("a calibration that fails", () => {
  test("is tried again after as many more parts", async () => {
    const reference = new ReferenceService(byFamily);
    let isDown = true;
    const { calibrator } = calibratorOf({
      ask: async (route, request, signal) => {
        const answer = await reference.ask(route, request, signal);
        if (isDown) throw new RejectedError("422");
        return answer;
      },
    });
    for (let i = 1; i <= 3; i++) await calibrator.admit(part(i));
    expect(await calibrator.admit(part(4))).toBe(false);
    isDown = false;

    expect([5, 6, 7].map((i) => calibrator.admit(part(i)))).toEqual([false, false, false]);
    expect(await calibrator.admit(part(8))).toBe(true);
    expect(reference.requests).toHaveLength(1 + 8);
  });

  test("for a while only is repeated by itself", async () => {
    const reference = new ReferenceService(byFamily);
    let failures = 4;
    const { calibrator, clock } = calibratorOf({
      ask: async (route, request, signal) => {
        const answer = await reference.ask(route, request, signal);
        if (failures-- > 0) throw new UnavailableError("503");
        return answer;
      },
    });
    for (let i = 1; i <= 3; i++) await calibrator.admit(part(i));

    expect(await clock.runUntil(Promise.resolve(calibrator.admit(part(4))))).toBe(true);
    expect(reference.requests).toHaveLength(12);
  });
});
