// A lane by itself, whose clock the test moves: the waits after failures in a row, their spread, and the end after 72 hours;
// and the pure waits.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { Connection } from "../../../src/exchange/webhooks/connection.ts";
import type { Course, EndpointRow, Fare } from "../../../src/exchange/webhooks/courses.ts";
import { isGivenUp, readRetryAfter, waitAfter } from "../../../src/exchange/webhooks/delivery-waits.ts";
import { Lane } from "../../../src/exchange/webhooks/lane.ts";
import { Slots } from "../../../src/exchange/webhooks/slots.ts";
import { systemRuntime, toTimestamp } from "../../../src/kernel/runtime.ts";
import { PUBLIC_ADDRESSES, readRange } from "../../../src/kernel/text/network-address.ts";
import { WebhookKey } from "../../../src/resources/webhook-endpoints/webhook-key.ts";
import type { FollowGround } from "../../../src/storage/follow/follower.ts";
import { startReceiver, status } from "./receiver.ts";

setDefaultTimeout(60_000);

const HOUR_MS = 3_600_000;
const SECONDS = [5, 30, 120, 600, 1800, 3600, 3600, 3600];

describe("waits", () => {
  test("are 5 s, 30 s, 2, 10, 30 minutes, then hourly, each a fifth more or less", () => {
    const at = (random: number) => SECONDS.map((_, failures) => waitAfter(failures + 1, random) / 1000);
    expect(at(0.5)).toEqual(SECONDS);
    expect(at(0)).toEqual(SECONDS.map((seconds) => seconds * 0.8));
    expect(at(0.999_999_999).map(Math.round)).toEqual(SECONDS.map((seconds) => seconds * 1.2));
    expect(waitAfter(1000, 0.5)).toBe(HOUR_MS);
  });

  test("end 72 hours after the first failure in a row", () => {
    const since = toTimestamp(1_790_000_000_000);
    expect(isGivenUp(since, Date.parse(since) + 72 * HOUR_MS - 1)).toBe(false);
    expect(isGivenUp(since, Date.parse(since) + 72 * HOUR_MS)).toBe(true);
    expect(isGivenUp(since, Date.parse(since) - HOUR_MS)).toBe(false);
  });

  test("that a receiver asks for are seconds or a date, at most a day", () => {
    const now = 1_790_000_000_000;
    expect(readRetryAfter("120", now)).toBe(120_000);
    expect(readRetryAfter(toTimestamp(now + 5000), now)).toBe(5000);
    expect(readRetryAfter("864000", now)).toBe(24 * HOUR_MS);
    for (const text of [undefined, "", "soon", "1e3x"]) expect(readRetryAfter(text, now) ?? 0).toBe(0);
  });
});

test("a lane waits by its clock after each failure, and gives up after 72 hours", async () => {
  const receiver = await startReceiver();
  receiver.answer = status(500);
  let nowMs = 1_790_000_000_000;
  const noted: Fare[] = [];
  const ends: string[] = [];
  const over = Promise.withResolvers<void>();
  let isNoted = Promise.withResolvers<void>();
  const key = new WebhookKey(null).readOrMake();
  const unused = () => {
    throw new Error("this is not asked for");
  };
  const ground: FollowGround = {
    ...{ db: { sqlite: {} as never }, settings: {} as never, write: unused, trouble: unused, tellFigures: unused },
    runtime: { ...systemRuntime, nowMs: () => nowMs, random: () => 0.5 },
    read: unused,
    rest: () => Promise.resolve(),
  };
  const course: Course<EndpointRow, number> = {
    orgId: "org",
    placeOf: () => 0,
    nameOfPlace: () => "0",
    nameOf: String,
    read: () => ({
      messages: [
        {
          id: "evt_1",
          type: "a.b",
          timestamp: toTimestamp(0),
          place: 1,
          cursor: null,
          content: { id: "evt_1", data: {} },
        },
      ],
      ...{ place: 1, hasMore: false },
    }),
    note(_row, _place, fare) {
      noted.push(fare);
      isNoted.resolve();
      return Promise.resolve(true);
    },
    disable(_row, reason) {
      ends.push(reason);
      over.resolve();
      return Promise.resolve();
    },
  };
  const row: EndpointRow = {
    ...{ id: "one", url: receiver.url, secretVersion: 1, keyFingerprint: key.fingerprint, previousSecretUntil: null },
    ...{ revision: 0, include: "ids", failures: 0, lastSuccessAt: null, failingSince: null, nextAttemptAt: null },
    lastError: null,
  };
  const loopback = [readRange("127.0.0.0/8")].filter((range) => range !== null);
  const lane = new Lane(
    {
      ...{ ground, slots: new Slots(), key: () => key, onSent: () => undefined },
      newConnection: () => new Connection({ allowed: { ...PUBLIC_ADDRESSES, ranges: loopback }, nowMs: () => nowMs }),
    },
    course,
    row,
  );
  const waits: number[] = [];
  for (let failures = 1; ends.length === 0; failures++) {
    await isNoted.promise;
    isNoted = Promise.withResolvers();
    const { nextAttemptAt, failures: counted, failingSince } = noted.at(-1) as Fare;
    expect([counted, failingSince]).toEqual([failures, toTimestamp(1_790_000_000_000)]);
    waits.push((Date.parse(nextAttemptAt ?? "") - nowMs) / 1000);
    // Before its time nothing goes out, whatever happens.
    nowMs = Date.parse(nextAttemptAt ?? "") - 1;
    lane.wake(row, true);
    await Bun.sleep(1);
    expect(receiver.received).toHaveLength(failures);
    nowMs++;
    lane.wake(row, true);
    if (nowMs - 1_790_000_000_000 >= 72 * HOUR_MS) await over.promise;
  }
  await lane.stop(0);
  expect(ends).toEqual(["FAILING"]);
  expect(waits.slice(0, 8)).toEqual(SECONDS);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(receiver.received.length).toBe(waits.length + 1);
  await receiver.stop();
});
