import { expect, test } from "vitest";
import { seededRandom } from "../../../../../src/kernel/retry.ts";
import { defaultAges } from "../../../../../src/worker/answers/answer-cache.ts";
import { BatchCutter } from "../../../../../src/worker/batching/batch-cutter.ts";
import { CalibrationQueue } from "../../../../../src/worker/batching/calibration/calibration-queue.ts";
import { OpenEntries } from "../../../../../src/worker/batching/queue/open-entries.ts";
import { CONFIRM_SHARE, ConfirmShare } from "../../../../../src/worker/batching/replies/confirm-share.ts";
import { ReferenceService } from "../../../../fakes/reference-services/reference-service.ts";
import { poolableRules } from "../../../../fakes/reference-services/rules.ts";
import { evenly } from "../../../../fakes/turns.ts";
import { lookalikeGroups } from "../../../../fixtures/lookalikes.generated.ts";
import { calibratorOf } from "../../../../support/calibrator-setup.ts";
import { addressOf, chainOf, partAbout } from "../../../../support/poisoning-parts.ts";
import { waitingFor } from "../../../../support/waiting-parts.ts";

function setup() {
  const { calibrator, clock } = calibratorOf(new ReferenceService(poolableRules["by family"]));
  const queues = new BatchCutter(calibrator.find, evenly, seededRandom(1), new ConfirmShare(CONFIRM_SHARE));
  const pool = { isOff: () => false, enqueue: () => {} };
  const first = new CalibrationQueue(clock, calibrator, new OpenEntries(1e6, defaultAges, clock), queues, pool);
  return { calibrator, queues, first };
}

const chain = chainOf("bitcoin");
const bitcoin = (text = "") => addressOf(text, "bitcoin");
const base58 = lookalikeGroups.bitcoinBase58.map(([text]) => bitcoin(text));
const bech32 = lookalikeGroups.bitcoinBech32.map(([text]) => bitcoin(text));

test("an entry that shares a request with the same users, or belongs to a search, does not wait for a calibration", async () => {
  const { calibrator, queues, first } = setup();
  const [target = bitcoin(), ...users] = base58;
  await calibrator.calibrate(partAbout({ chain, target }));
  const own = { chain, users: users.slice(0, 1) };
  const shared = [waitingFor({ ...own, target: bech32[0] ?? target }), waitingFor({ ...own, target })];
  const apart = { ...waitingFor({ ...own, target: bech32[1] ?? target }), half: {} };
  for (const waiting of [...shared, apart]) queues.alone.push(waiting);
  // Enough lone entries to make a calibration due.
  for (let i = 0; i < 100; i++) calibrator.askedAlone(apart.part);

  expect(first.cut("realtime")?.waiting).toEqual(shared);
  expect(first.cut("realtime")?.waiting).toEqual([apart]);
});
