import type { Admin } from "kafkajs";

export type GroupAdmin = Pick<Admin, "connect" | "disconnect" | "describeGroups">;

/** Number of consumers in a group now. Undefined where it is unknown, as without the permission to see it. */
export async function groupSize(admin: GroupAdmin, groupId: string): Promise<number | undefined> {
  try {
    await admin.connect();
    const { groups } = await admin.describeGroups([groupId]);
    return groups[0]?.members.length;
  } catch {
    // The checks of the brokers report faults of the brokers.
    return undefined;
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}
