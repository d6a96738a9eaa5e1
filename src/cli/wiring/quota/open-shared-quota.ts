import { randomUUID } from "node:crypto";
import { kafkaClient } from "../../../adapters/kafka/client/kafka-client.ts";
import { followControlTopic } from "../../../adapters/kafka/consumer/control-topic.ts";
import { PartitionSender } from "../../../adapters/kafka/producer/partition-sender.ts";
import { systemClock } from "../../../kernel/clock.ts";
import type { Lifecycle } from "../../../kernel/lifecycle.ts";
import { type Log, quietLog } from "../../../kernel/log.ts";
import type { KeySource, Slots } from "../../../worker/ports.ts";
import { DemandMeter } from "../../../worker/rate-limit/sharing/demand-meter.ts";
import type { Headroom } from "../../../worker/rate-limit/sharing/headroom.ts";
import { keyMark } from "../../../worker/rate-limit/sharing/key-mark.ts";
import { meteredSlots } from "../../../worker/rate-limit/sharing/metered-slots.ts";
import type { Quota } from "../../../worker/rate-limit/sharing/quota.ts";
import { QuotaMember } from "../../../worker/rate-limit/sharing/quota-member.ts";
import type { ScreeningConfig } from "../../config/config.ts";
import type { KafkaSettings } from "../../config/kafka-settings.ts";

export interface SharedQuotaDeps {
  readonly settings: KafkaSettings;
  readonly quota: Quota;
  readonly config: ScreeningConfig;
  readonly service: { readonly baseUrl: string; readonly key: KeySource };
  /** Receives the answers from the gate. */
  readonly headroom: Headroom;
  /** The ceiling receives this process's own pace. */
  readonly ceiling: Pick<Slots, "pace">;
  readonly slots: Slots;
  readonly log: Log;
  readonly opened: Lifecycle;
}

/** A member states its use every 2 s and reads again after every failure, so a short timeout is enough. */
const PATIENCE = { retry: { retries: 1 }, connectionTimeout: 3_000, requestTimeout: 5_000 };

/** The permits of a quota that other processes use, too, and the state of the sharing. */
export interface OpenedQuota {
  readonly slots: Slots;
  readonly member: Pick<QuotaMember, "perSecond" | "members">;
}

/**
 * Shares a configured quota by the control topic, until the lifecycle closes. Unreachable brokers are waited for in the
 * background. It closes before the code that it paces.
 */
export function openSharedQuota(deps: SharedQuotaDeps): OpenedQuota {
  const { settings, quota, config, service, headroom, ceiling, slots, log, opened } = deps;
  const { connection, groupId, sessionTimeoutMs, topics } = settings;
  const clock = systemClock;
  const meter = new DemandMeter(config.SERVICE_CONCURRENCY);
  const name = randomUUID();
  const partitions = new Map([[topics.control, 1]]);
  const kafka = kafkaClient(connection, quietLog, PATIENCE);
  const sender = new PartitionSender({ kafka, clock, log: quietLog, partitions });
  let isConnected = false;
  const member = new QuotaMember({
    member: name,
    quota,
    weight: config.SERVICE_QUOTA_WEIGHT,
    alone: config.SERVICE_QUOTA_ALONE,
    mark: () => keyMark(service.baseUrl, service.key.current().reveal()),
    headroom,
    meter,
    slots: ceiling,
    clock,
    log,
    write: async (key, value) => {
      if (!isConnected) await sender.start();
      isConnected = true;
      const statement = sender.newBatch();
      statement.add({ topic: topics.control, key, value, headers: {} }, Number.POSITIVE_INFINITY);
      await sender.send(topics.control, 0, statement);
    },
  });
  const stopping = new AbortController();
  const following = followControlTopic(
    {
      kafka,
      topic: topics.control,
      groupId: `${groupId}-quota-${name}`,
      sessionTimeoutMs,
      clock,
      random: Math.random,
      log,
      onValue: (value) => member.read(value),
    },
    stopping.signal,
  );
  const stating = member.run(stopping.signal);
  opened.onClose("control topic", async () => {
    stopping.abort();
    await stating;
    await Promise.all([following, sender.stop()]);
  });
  return { slots: meteredSlots(slots, meter, clock), member };
}
