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

describe("what a generation reads", () => {
  test("is outdated once a topic of it was made anew, and that is said once", () => {
    expect(topics.isOutdated()).toBe(false);
    seen.told("bulk", { id: "B2", isMissing: false });
    expect([topics.isOutdated(), topics.isOutdated()]).toEqual([true, false]);
  });

  test("is outdated once a topic of it was deleted, and again once that is back with its partitions", () => {
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

  test("is outdated where a topic was made anew before its reader was told of the one that is gone", () => {
    const fresh = new TopicsRead(["bulk"], seen);
    fresh.begin([bulk], nowhere);
    seen.told("bulk", { id: "B2", isMissing: false });
    expect(fresh.isOutdated()).toBe(false);
    fresh.located([{ ...bulk, topicId: "B" }]);
    expect([fresh.isOutdated(), fresh.isOutdated()]).toEqual([true, false]);
  });

  test("is not outdated by a topic that its look has still to find, whatever another look finds meanwhile", () => {
    seen.told("live", { id: "L2", isMissing: false });
    expect(topics.isOutdated()).toBe(true);
    topics.begin([live, bulk], nowhere);
    topics.located([{ ...bulk, topicId: "B" }]);
    // Otherwise each generation would end before the look at the new topic does.
    expect(topics.isOutdated()).toBe(false);
    topics.located([{ ...live, topicId: "L2" }]);
    expect(topics.isOutdated()).toBe(false);
  });

  test("is outdated by a topic that is deleted while it is looked for", () => {
    topics.begin([live, bulk], nowhere);
    seen.told("live", { isMissing: true });
    expect(topics.isOutdated()).toBe(true);
  });

  test("says what of the one before is gone, though the group gave it to another member meanwhile", () => {
    seen.told("live", { isMissing: true });
    seen.told("bulk", { id: "B2", isMissing: false });
    expect(topics.begin([], nowhere)).toEqual({ readable: [], gone: [live, bulk] });
    expect(topics.begin([bulk], nowhere)).toEqual({ readable: [bulk], gone: [] });
  });

  test("is outdated, too, where the group took a topic away before this member heard that it is gone", () => {
    expect(topics.begin([live], nowhere)).toEqual({ readable: [live], gone: [] });
    expect(topics.isOutdated()).toBe(false);
    seen.told("bulk", { isMissing: true });
    expect(topics.isOutdated()).toBe(true);
    expect(topics.begin([live], nowhere)).toEqual({ readable: [live], gone: [bulk] });
    seen.told("other", { id: "O", isMissing: false });
    expect(topics.isOutdated()).toBe(false);
    expect(topics.begin([live], nowhere)).toEqual({ readable: [live], gone: [] });
  });

  test("is of a topic partition by partition: one that was not told of the new topic is of the old one", () => {
    const other = { topic: "live", partition: 1 };
    topics.located([{ ...other, topicId: "L" }]);
    topics.located([{ ...live, topicId: "L2" }]);
    expect([topics.idOf(live), topics.idOf(other)]).toEqual(["L2", "L"]);
  });

  test("remembers what was read and how far over a generation, until it is located again", () => {
    topics.begin([bulk], (at) => (at.topic === "bulk" ? 12 : undefined));
    expect(topics.before(bulk)).toEqual({ topicId: "B", next: 12, isCut: false });
    topics.cut({ ...bulk, offset: 14 });
    expect(topics.before(bulk)).toEqual({ topicId: "B", next: 14, isCut: true });
    topics.located([{ ...bulk, topicId: "B2" }]);
    expect(topics.before(bulk)).toEqual({ topicId: "B2", next: undefined, isCut: false });
  });
});
