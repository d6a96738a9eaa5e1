import { Kafka } from "kafkajs";

const actions = { ALLOW: "release", WARN: "review", UNKNOWN: "wait", BLOCK: "stop" }; // mildest first
const severity = ({ unanswered, decision }) => (unanswered ? 0 : 1 + Object.keys(actions).indexOf(decision));
const latest = new Map(); // verdict_id -> order of its latest verdict; a real consumer keeps it in its database
const consumer = new Kafka({ brokers: ["localhost:9092"] }).consumer({ groupId: "withdrawals" });
const eachMessage = async ({ message }) => {
  const verdict = JSON.parse(message.value);
  const order = 10 * verdict.revision + severity(verdict);
  if (order <= (latest.get(verdict.verdict_id) ?? -1)) return;
  latest.set(verdict.verdict_id, order);
  process.stdout.write(`${actions[verdict.decision]} ${verdict.event_id}\n`);
};
await consumer.connect();
await consumer.subscribe({ topic: "screening.verdicts", fromBeginning: true });
await consumer.run({ eachMessage });
