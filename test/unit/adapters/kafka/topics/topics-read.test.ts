import { beforeEach, describe, expect, test } from "vitest";
import { TopicMetadataCache } from "../../../../../src/adapters/kafka/topics/topic-metadata-cache.ts";
import { TopicsRead } from "../../../../../src/adapters/kafka/topics/topics-read.ts";

const live = { topic: "live", partition: 0 };
const bulk = { topic: "bulk", partition: 0 };
const nowhere = () => undefined;

let seen: TopicMetadataCache;
let topics: TopicsRead;

beforeEach(() => {
  seen = new TopicMetadataCache();
  topics = new TopicsRead(["live", "bulk"], seen);
  seen.told("live", { id: "L", isMissing: false });
  seen.told("bulk", { id: "B", isMissing: false });
  topics.begin([live, bulk], nowhere);
  topics.located([
    { ...live, topicId: "L" },
    { ...bulk, topicId: "B" },
  ]);
  topics.isOutdated();
});

describe("a generation", () => {
  test("is outdated once a topic of it was recreated, and that is reported once", () => {
    expect(topics.isOutdated()).toBe(false);
    seen.told("bulk", { id: "B2", isMissing: false });
    expect([topics.isOutdated(), topics.isOutdated()]).toEqual([true, false]);
  });

  test("is outdated once a topic of it was deleted, and again once the topic is back with its partitions", () => {
    seen.told("bulk", { isMissing: true });
    expect(topics.appearances()).toEqual({ gone: ["bulk"], back: [] });
    expect([topics.isOutdated(), topics.missing]).toEqual([true, ["bulk"]]);
    expect(topics.begin([live, bulk], nowhere)).toEqual({ readable: [live], gone: [bulk] });
    expect(topics.appearances()).toEqual({ gone: [], back: [] });
    seen.told("bulk", { id: "B2", isMissing: false });
    expect(topics.appearances()).toEqual({ gone: [], back: ["bulk"] });
    expect([topics.isOutdated(), topics.missing]).toEqual([true, []]);
    expect(topics.begin([live, bulk], nowhere)).toEqual({ readable: [live, bulk], gone: [] });
  });

  test("is not outdated by other topics, nor by a topic without an id", () => {
    seen.told("other", { id: "O", isMissing: false });
    expect(topics.isOutdated()).toBe(false);
    seen.told("bulk", { isMissing: false });
    expect(topics.isOutdated()).toBe(false);
  });

  test("is outdated where a topic was recreated before the handler knew the earlier one", () => {
    const fresh = new TopicsRead(["bulk"], seen);
    fresh.begin([bulk], nowhere);
    seen.told("bulk", { id: "B2", isMissing: false });
    expect(fresh.isOutdated()).toBe(false);
    fresh.located([{ ...bulk, topicId: "B" }]);
    expect([fresh.isOutdated(), fresh.isOutdated()]).toEqual([true, false]);
  });

  test("is not outdated by a topic that its lookup has still to find, whatever another lookup finds", () => {
    seen.told("live", { id: "L2", isMissing: false });
    expect(topics.isOutdated()).toBe(true);
    topics.begin([live, bulk], nowhere);
    topics.located([{ ...bulk, topicId: "B" }]);
    // Otherwise each generation would end before the lookup of the new topic does.
    expect(topics.isOutdated()).toBe(false);
    topics.located([{ ...live, topicId: "L2" }]);
    expect(topics.isOutdated()).toBe(false);
  });

  test("is outdated by a topic that is deleted during its lookup", () => {
    topics.begin([live, bulk], nowhere);
    seen.told("live", { isMissing: true });
    expect(topics.isOutdated()).toBe(true);
  });

  test("reports the vanished partitions of the previous one, even when the group assigned them to another member", () => {
    seen.told("live", { isMissing: true });
    seen.told("bulk", { id: "B2", isMissing: false });
    expect(topics.begin([], nowhere)).toEqual({ readable: [], gone: [live, bulk] });
    expect(topics.begin([bulk], nowhere)).toEqual({ readable: [bulk], gone: [] });
  });

  test("is also outdated where the group revoked a topic before this member learned that it is gone", () => {
    expect(topics.begin([live], nowhere)).toEqual({ readable: [live], gone: [] });
    expect(topics.isOutdated()).toBe(false);
    seen.told("bulk", { isMissing: true });
    expect(topics.isOutdated()).toBe(true);
    expect(topics.begin([live], nowhere)).toEqual({ readable: [live], gone: [bulk] });
    seen.told("other", { id: "O", isMissing: false });
    expect(topics.isOutdated()).toBe(false);
    expect(topics.begin([live], nowhere)).toEqual({ readable: [live], gone: [] });
  });

  test("has its topics by partition: a partition without a report of the new topic belongs to the old one", () => {
    const other = { topic: "live", partition: 1 };
    topics.located([{ ...other, topicId: "L" }]);
    topics.located([{ ...live, topicId: "L2" }]);
    expect([topics.idOf(live), topics.idOf(other)]).toEqual(["L2", "L"]);
  });

  test("remembers the read positions of the previous one, until they are located again", () => {
    topics.begin([bulk], (at) => (at.topic === "bulk" ? 12 : undefined));
    expect(topics.before(bulk)).toEqual({ topicId: "B", next: 12, isCut: false });
    topics.cut({ ...bulk, offset: 14 });
    expect(topics.before(bulk)).toEqual({ topicId: "B", next: 14, isCut: true });
    topics.located([{ ...bulk, topicId: "B2" }]);
    expect(topics.before(bulk)).toEqual({ topicId: "B2", next: undefined, isCut: false });
  });
});
