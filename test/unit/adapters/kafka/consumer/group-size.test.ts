import { expect, test } from "vitest";
import { type GroupAdmin, groupSize } from "../../../../../src/adapters/kafka/consumer/group-size.ts";

const member = {
  memberId: "m",
  clientId: "weir",
  clientHost: "/10.0.0.1",
  memberAssignment: Buffer.alloc(0),
  memberMetadata: Buffer.alloc(0),
};

function adminOf(members: number) {
  const asked: (string[] | "ended")[] = [];
  const admin: GroupAdmin = {
    connect: async () => undefined,
    disconnect: async () => void asked.push("ended"),
    describeGroups: async (groupIds) => {
      asked.push(groupIds);
      const all = Array.from({ length: members }, () => member);
      return { groups: [{ groupId: "weir", members: all, protocol: "", protocolType: "consumer", state: "Stable" }] };
    },
  };
  return { admin, asked };
}

test("the size of a group is its number of members", async () => {
  const { admin, asked } = adminOf(3);

  expect([await groupSize(admin, "weir"), asked]).toEqual([3, [["weir"], "ended"]]);
});

test("the size is unknown for an invisible group, and for unreachable brokers", async () => {
  const { admin, asked } = adminOf(0);
  const hidden = { ...admin, describeGroups: () => Promise.reject(new Error("not authorized")) };
  const away = { ...admin, connect: () => Promise.reject(new Error("refused")) };

  expect([await groupSize(hidden, "weir"), await groupSize(away, "weir")]).toEqual([undefined, undefined]);
  expect(asked).toEqual(["ended", "ended"]);
});
