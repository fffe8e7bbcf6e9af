// A clock that is wrong, is set, or stands at an awkward date: ids stay unique, the ledger keeps its order, nothing that
// waits waits for ever, and dates are the calendar's. The service takes its clock as a port; at the end the program itself
// runs in other time zones and, where libfaketime is installed, under a clock that is set while it runs.
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemRuntime, toTimestamp, toUtcDate } from "../../src/kernel/runtime.ts";
import { backUpIfDue } from "../../src/safekeeping/backup/schedule.ts";
import { verifyDatabase } from "../../src/safekeeping/verify/verify.ts";
import { findSetting } from "../../src/storage/database/settings.ts";
import { ChainError } from "../../src/tokens/chain/port.ts";
import { chainSource } from "../../src/tokens/chain/source.ts";
import { type CapTable, expectSound } from "../kit/cap-table.ts";
import { runCommand } from "../kit/command.ts";
import { newDataDir, type Served, serveProgram } from "../kit/program.ts";
import { proved } from "../kit/proof.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../kit/records.ts";
import { RELEASE } from "../kit/release.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";
import { removeTemporaryFolders, temporaryFolder } from "../tokens/chain/support/people.ts";
import { classWith, securityWith, startOn, until } from "../tokens/jobs/support/tokens.ts";

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.parse("2026-06-15T12:00:00.500Z");
const TEN_YEARS_MS = 3653 * DAY_MS;

afterAll(removeTemporaryFolders);

/** A service whose clock stands where the test puts it. */
async function serviceAt(startMs: number): Promise<TestServer & { set(ms: number): void }> {
  let nowMs = startMs;
  const runtime = { ...systemRuntime, nowMs: () => nowMs };
  const server = await startTestServer({ CAPTABLE_RATE_LIMIT: "6000", CAPTABLE_CHAIN: "on" }, { runtime });
  return {
    ...server,
    set(ms) {
      nowMs = ms;
    },
  };
}

const at = (text: string) => Date.parse(text);

/** From where to where the clock goes between two writes. */
const JUMPS: readonly (readonly [name: string, fromMs: number, toMs: number])[] = [
  ["a second forward", START_MS, START_MS + SECOND_MS],
  ["a second back", START_MS, START_MS - SECOND_MS],
  ["not at all", START_MS, START_MS],
  ["an hour forward", START_MS, START_MS + HOUR_MS],
  ["an hour back", START_MS, START_MS - HOUR_MS],
  ["a day forward", START_MS, START_MS + DAY_MS],
  ["a day back", START_MS, START_MS - DAY_MS],
  ["ten years forward", START_MS, START_MS + TEN_YEARS_MS],
  ["ten years back", START_MS, START_MS - TEN_YEARS_MS],
  ["back to 1970", START_MS, 0],
  ["over the last second of 32 bits", at("2038-01-19T03:14:07Z"), at("2038-01-19T03:14:08Z")],
  ["over 2^32 seconds", at("2106-02-07T06:28:15Z"), at("2106-02-07T06:28:16Z")],
  ["into 29 February", at("2028-02-28T23:59:59.999Z"), at("2028-02-29T00:00:00Z")],
  ["out of 29 February", at("2028-02-29T23:59:59.999Z"), at("2028-03-01T00:00:00Z")],
  ["over the end of a February of 28 days", at("2027-02-28T23:59:59.999Z"), at("2027-03-01T00:00:00Z")],
  ["over the end of a year", at("2026-12-31T23:59:59.999Z"), at("2027-01-01T00:00:00Z")],
  ["over the start of summer time in Europe", at("2026-03-29T00:59:59Z"), at("2026-03-29T01:00:00Z")],
  ["over the end of summer time in New York", at("2026-11-01T05:59:59Z"), at("2026-11-01T06:00:00Z")],
];

describe("between two writes the clock goes", () => {
  test.each(JUMPS)("%s: order is that of recording, ids are unique, and now shows everything", async (_, from, to) => {
    const server = await serviceAt(from);
    const holder = await makeStakeholder(server);
    const stockClassId = await makeShareClass(server);
    const issue = (effectiveDate: string) =>
      issueShares(server, { stakeholderId: holder, stockClassId, quantity: "10", effectiveDate });
    const securities = [await issue("1970-01-01")];
    server.set(to);
    securities.push(await issue("1970-01-01"));
    await server.api("PATCH", `/securities/${securities[0]}`, { quantity: "15" });

    const entries = (await server.api("GET", "/transactions")).json.data;
    expect(entries.map(({ sequence }: { sequence: number }) => sequence)).toEqual([3, 2, 1]);
    const times = entries.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(times).toEqual([to, to, from].map(toTimestamp));
    expect(entries[0].effectiveDate).toBe(toUtcDate(to));
    const ids = entries.map(({ id }: { id: string }) => id);
    expect(new Set([...ids, ...securities, holder, stockClassId]).size).toBe(7);
    const listed = (await server.api("GET", "/securities")).json.items.map(({ id }: { id: string }) => id);
    expect(listed).toEqual(securities.toReversed());
    const shown: CapTable = (await server.api("GET", "/cap-table")).json.data;
    expectSound(shown);
    expect(shown.totals.outstanding).toBe("25");
    expect((await server.api("GET", "/cap-table/summary")).json.data.totalIssued).toBe("25");
    expect(verifyDatabase(server.app.reader).differences).toEqual([]);
    await server.stop();
  });
});

describe("a clock that was set back", () => {
  test("leaves views by what was known at an instant sound, and stable", async () => {
    const server = await serviceAt(START_MS);
    const [holder, other] = [await makeStakeholder(server), await makeStakeholder(server)];
    const stockClassId = await makeShareClass(server);
    const securityId = await issueShares(server, { stakeholderId: holder, stockClassId, quantity: "10" });
    server.set(START_MS - HOUR_MS);
    const transfer = { securityId, fromStakeholderId: holder, toStakeholderId: other, quantity: "4" };
    await server.api("POST", "/transactions/transfer", { ...transfer, effectiveDate: "2026-02-01" });
    const outstanding = async (knownMs?: number) => {
      const query = knownMs === undefined ? "" : `?knownAt=${toTimestamp(knownMs)}`;
      const shown: CapTable = (await server.api("GET", `/cap-table${query}`)).json.data;
      expectSound(shown);
      return shown.stakeholders.map(({ id, outstanding }) => `${id === holder ? "holder" : "other"} ${outstanding}`);
    };
    // The transfer counts once what it moves is there: before, by this clock, nothing was.
    expect(await outstanding(START_MS - 2 * HOUR_MS)).toEqual([]);
    expect(await outstanding(START_MS - HOUR_MS)).toEqual([]);
    expect(await outstanding(START_MS)).toEqual(["holder 6", "other 4"]);
    expect(await outstanding()).toEqual(["holder 6", "other 4"]);
    await server.stop();
  });

  test("does not lock a key out, and waiting as long as Retry-After says helps", async () => {
    let nowMs = START_MS;
    const runtime = { ...systemRuntime, nowMs: () => nowMs };
    const server = await startTestServer({ CAPTABLE_RATE_LIMIT: "6" }, { runtime });
    const list = () => server.api("GET", "/stakeholders");
    expect([(await list()).status, (await list()).status]).toEqual([200, 429]);
    nowMs -= TEN_YEARS_MS;
    const refused = await list();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "10"]);
    nowMs += 10 * SECOND_MS;
    expect([(await list()).status, (await list()).status]).toEqual([200, 429]);
    await server.stop();
  });

  test("does not make /readyz answer from memory until the old time comes round again", async () => {
    const server = await serviceAt(START_MS);
    const ready = async () => (await fetch(`${server.url}/readyz`)).status;
    expect(await ready()).toBe(200);
    server.set(START_MS - TEN_YEARS_MS);
    await Bun.sleep(1050);
    expect(await ready()).toBe(200);
    expect(findSetting(server.app.reader, "probedAtMs")).toBe(String(START_MS - TEN_YEARS_MS));
    await server.stop();
  });

  test("does not stop scheduled backups, nor cost the new ones their place", async () => {
    const folder = join(dirname(newDataDir()), "scheduled");
    mkdirSync(folder, { recursive: true });
    const nameAt = (ms: number) => `captable-${toTimestamp(ms).replace(/[:.]/g, "-")}.captable`;
    for (const ahead of [TEN_YEARS_MS, TEN_YEARS_MS + DAY_MS]) {
      const file = join(folder, nameAt(START_MS + ahead));
      writeFileSync(file, "");
      utimesSync(file, (START_MS + ahead) / 1000, (START_MS + ahead) / 1000);
    }
    const taken: string[] = [];
    for (const nowMs of [START_MS, START_MS + HOUR_MS, START_MS + 25 * HOUR_MS]) {
      const take = async (file: string) => {
        writeFileSync(file, "");
        utimesSync(file, nowMs / 1000, nowMs / 1000);
        taken.push(file);
      };
      const runtime = { ...systemRuntime, nowMs: () => nowMs };
      const when = { dataDir: dirname(folder), folder, everyHours: 24, keep: 2 };
      await backUpIfDue({ ...when, runtime, take, onTrouble: () => undefined });
    }
    expect(taken.map((file) => file.slice(folder.length + 1))).toEqual([
      nameAt(START_MS),
      nameAt(START_MS + 25 * HOUR_MS),
    ]);
    expect(
      readdirSync(folder)
        .sort()
        .map((name) => join(folder, name)),
    ).toEqual(taken);
  });
});

/** A service on an embedded chain that can be out of reach, with a clock that can be set. */
async function serviceWithChain() {
  const dataDir = temporaryFolder();
  const source = chainSource({ dataDir, rpcUrl: null, keyFile: null, passwordFile: null, confirmations: 1 });
  let isDown = true;
  let offsetMs = 0;
  const chain = {
    ...source,
    openChain: async () => {
      if (isDown) throw new ChainError("unreachable", "the node cannot be reached (ECONNREFUSED)");
      return source.openChain();
    },
  };
  const runtime = { ...systemRuntime, nowMs: () => systemRuntime.nowMs() + offsetMs };
  const service = await startOn(dataDir, {}, { runtime, chain });
  return {
    ...service,
    shift(ms: number) {
      offsetMs += ms;
    },
    bringUp() {
      isDown = false;
    },
    /** Waits until the background work backs off. */
    trouble: () => until("trouble", async () => (service.log.join("").includes("cannot be reached") ? true : null)),
  };
}

describe("background work", () => {
  test.each([
    ["back", -TEN_YEARS_MS],
    ["forward", TEN_YEARS_MS],
  ])(
    "goes on when the clock is set ten years %s, before the chain answers and after",
    async (_, shiftMs) => {
      const service = await serviceWithChain();
      const stockClassId = await makeShareClass(service);
      const stakeholderId = await makeStakeholder(service);
      const first = await issueShares(service, { stakeholderId, stockClassId });
      await classWith(service, stockClassId, "PENDING");
      await service.trouble();
      service.shift(shiftMs);
      if (shiftMs > 0) {
        await classWith(service, stockClassId, "FAILED");
        await service.api("POST", `/share-classes/${stockClassId}/retokenize`);
      }
      service.bringUp();
      await classWith(service, stockClassId, "DEPLOYED");
      await securityWith(service, first, "MINTED");
      service.shift(shiftMs);
      const second = await issueShares(service, { stakeholderId, stockClassId });
      await securityWith(service, second, "MINTED");
      const token = async () => (await service.api("GET", `/share-classes/${stockClassId}/token`)).json;
      expect(await token()).toMatchObject({ totalSupply: "2000", pendingOperations: 0, failedOperations: 0 });
      await service.stop();
    },
    60_000,
  );

  test("counts a deployment's 10 minutes anew from where the clock was set back to", async () => {
    const service = await serviceWithChain();
    const stockClassId = await makeShareClass(service);
    await classWith(service, stockClassId, "PENDING");
    await service.trouble();
    service.shift(-TEN_YEARS_MS);
    await Bun.sleep(300);
    const status = async () => (await service.api("GET", `/share-classes/${stockClassId}`)).json.tokenizationStatus;
    expect(await status()).toBe("PENDING");
    service.shift(9 * 60 * SECOND_MS);
    await Bun.sleep(300);
    expect(await status()).toBe("PENDING");
    service.shift(2 * 60 * SECOND_MS);
    await classWith(service, stockClassId, "FAILED");
    await service.stop();
  }, 60_000);
});

// At any time of day, one of the first two has another date than UTC.
const FARTHEST = ["Pacific/Kiritimati", "Pacific/Pago_Pago"];
const ZONES = RELEASE ? [...FARTHEST, "UTC", "America/New_York", "Europe/Berlin", "Asia/Kathmandu"] : FARTHEST;

/** Dates that follow from rules, asked of a served program. */
async function datesOf(served: Served) {
  const headers = { authorization: `Bearer ${served.key}`, "content-type": "application/json" };
  const api = async (method: string, path: string, body?: unknown) => {
    const init: RequestInit =
      body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await fetch(`${served.url}/api/v1${path}`, init);
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
    return { status: response.status, headers: response.headers, json: (await response.json()) as any, text: "" };
  };
  const stakeholderId = await makeStakeholder({ api });
  const stockClassId = await makeShareClass({ api });
  const plan = { planName: "Plan", initialSharesReserved: "1000", stockClassIds: [stockClassId] };
  const stockPlanId = (await api("POST", "/equity-plans", plan)).json.id;
  const month = { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS" };
  const condition = { id: "month", trigger: month, portion: { numerator: 1, denominator: 12 } };
  const terms = { name: "Monthly", description: "A year", vestingConditions: [condition] };
  const vestingTermsId = (await api("POST", "/vesting-terms", terms)).json.id;
  const grant = { stakeholderId, stockPlanId, quantity: "12", exercisePrice: "1", optionType: "ISO", vestingTermsId };
  const dates: unknown[] = [];
  for (const effectiveDate of ["2028-02-29", "2027-10-31", "2026-03-29"]) {
    const body = { ...grant, certificateId: `O-${effectiveDate}`, effectiveDate, vestingStartDate: effectiveDate };
    const { securityId } = (await api("POST", "/transactions/issue-options", body)).json.data;
    dates.push((await api("GET", `/securities/${securityId}`)).json.expirationDate);
    const { events } = (await api("GET", `/securities/${securityId}/vesting?asOf=2040-01-01`)).json;
    dates.push(events.map(({ date }: { date: string }) => date));
  }
  const securityId = await issueShares({ api }, { stakeholderId, stockClassId });
  await api("PATCH", `/securities/${securityId}`, { quantity: "900" });
  const [edit] = (await api("GET", "/transactions?limit=1")).json.data;
  const { asOf } = (await api("GET", "/cap-table")).json.data;
  const today = [edit.effectiveDate, edit.createdAt.slice(0, 10), asOf];
  return { dates, today: new Set(today) };
}

const monthly = (text: string) => text.split(" ");
const RIGHT_DATES = [
  "2038-02-28",
  monthly(
    "2028-03-29 2028-04-29 2028-05-29 2028-06-29 2028-07-29 2028-08-29 2028-09-29 2028-10-29 2028-11-29 2028-12-29 " +
      "2029-01-29 2029-02-28",
  ),
  "2037-10-31",
  monthly(
    "2027-11-30 2027-12-31 2028-01-31 2028-02-29 2028-03-31 2028-04-30 2028-05-31 2028-06-30 2028-07-31 2028-08-31 " +
      "2028-09-30 2028-10-31",
  ),
  "2036-03-29",
  monthly(
    "2026-04-29 2026-05-29 2026-06-29 2026-07-29 2026-08-29 2026-09-29 2026-10-29 2026-11-29 2026-12-29 2027-01-29 " +
      "2027-02-28 2027-03-29",
  ),
];

describe("the program", () => {
  test.each(ZONES)(
    "in the time zone %s counts days in UTC",
    async (zone) => {
      const before = toUtcDate(systemRuntime.nowMs());
      const served = await serveProgram(newDataDir(), { TZ: zone });
      const { dates, today } = await datesOf(served);
      expect(dates).toEqual(RIGHT_DATES);
      if (toUtcDate(systemRuntime.nowMs()) === before) expect(today).toEqual(new Set([before]));
      expect(await served.end("SIGTERM")).toBe(0);
    },
    60_000,
  );
});

const LIBFAKETIME = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"]
  .map((folder) => join(folder, "faketime/libfaketime.so.1"))
  .find((file) => existsSync(file));

describe.skipIf(LIBFAKETIME === undefined)("the program under libfaketime (skipped where it is not installed)", () => {
  test("at 23:59 UTC on 29 February counts that day; set back ten years while it runs, it works on", async () => {
    const dataDir = newDataDir();
    const clock = join(dirname(dataDir), "clock");
    const set = (instant: string) => writeFileSync(clock, `@${instant}\n`);
    set("2028-02-29 23:50:00");
    const served = await serveProgram(dataDir, {
      TZ: "UTC",
      LD_PRELOAD: LIBFAKETIME ?? "",
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    });
    const first = await datesOf(served);
    expect(first).toEqual({ dates: RIGHT_DATES, today: new Set(["2028-02-29"]) });
    set("2018-01-31 12:00:00");
    const headers = { authorization: `Bearer ${served.key}`, "content-type": "application/json" };
    const legend = JSON.stringify({ name: "Later", text: "and earlier" });
    const made = await fetch(`${served.url}/api/v1/stock-legends`, { method: "POST", headers, body: legend });
    expect([made.status, ((await made.json()) as { createdAt: string }).createdAt]).toEqual([
      201,
      expect.stringMatching(/^2018-01-31T12:00:/),
    ]);
    const classes = async () =>
      (await (await fetch(`${served.url}/api/v1/share-classes`, { headers })).json()) as Listed;
    await until("a deployed class", async () =>
      (await classes()).items.every(({ tokenizationStatus }) => tokenizationStatus === "DEPLOYED") ? true : null,
    );
    expect(await served.end("SIGTERM")).toBe(0);
    expect((await runCommand(["verify", "--data-dir", dataDir])).status).toBe(0);
  }, 40_000);
});

interface Listed {
  readonly items: readonly { readonly tokenizationStatus: string }[];
}

test("what a large run proved of the clock", () => {
  const count = JUMPS.length + ZONES.length + (LIBFAKETIME === undefined ? 0 : 1);
  const what = "clocks set, turned back, at awkward dates and in other time zones";
  proved({ fault: "F8", what, count, seed: "-", result: "order, ids, dates and background work unharmed" });
});
