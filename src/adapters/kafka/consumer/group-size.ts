import type { Admin } from "kafkajs";

export type GroupAdmin = Pick<Admin, "connect" | "disconnect" | "describeGroups">;

/** Consumers in a group now; undefined where that cannot be told, as without the right to see it. */
export async function groupSize(admin: GroupAdmin, groupId: string): Promise<number | undefined> {
  try {
    await admin.connect();
    const { groups } = await admin.describeGroups([groupId]);
    return groups[0]?.members.length;
  } catch {
    // What is wrong with the brokers is said by the checks of them.
    return undefined;
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}
