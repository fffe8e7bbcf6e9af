// Each code of the health report over a real socket: a company that has it, one that has it not although it comes close,
// and what the finding says.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { commandLineCall } from "../../../src/kernel/call.ts";
import { systemRuntime, toTimestamp } from "../../../src/kernel/runtime.ts";
import { PUBLIC_ADDRESSES } from "../../../src/kernel/text/network-address.ts";
import { setSuspended, setTotp } from "../../../src/people/stores/account-store.ts";
import { createKey } from "../../../src/resources/api-keys/routes.ts";
import { makeEndpoint } from "../../../src/resources/webhook-endpoints/changes.ts";
import { WebhookKey } from "../../../src/resources/webhook-endpoints/webhook-key.ts";
import { keepStamped } from "../../../src/safekeeping/kept/tasks.ts";
import { LAST_BACKUP } from "../../../src/storage/data-dir/last-backup.ts";
import { findLogHead, tellOf } from "../../../src/storage/database/log/audit.ts";
import { changeLogged } from "../../../src/storage/database/log/logged.ts";
import { insertRow } from "../../../src/storage/database/row-writes.ts";
import { storeSetting } from "../../../src/storage/database/settings.ts";
import type { Tx } from "../../../src/storage/database/sql.ts";
import { setTokenStatus } from "../../../src/tokens/jobs/stock-store.ts";
import { setTokenization, storeDifference } from "../../../src/tokens/jobs/token-store.ts";
import { CODES, SEVERITIES } from "../../../src/views/health/codes.ts";
import { type MadeMember, makeMember } from "../../kit/people.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { classWith, QUICK, settled } from "../../tokens/jobs/support/tokens.ts";
import { grant, IMPORTED_PLAN, importedTerms, Org, type ShownFinding, stockIssuance, TODAY } from "./support.ts";

setDefaultTimeout(60_000);

const HOUR_MS = 3_600_000;
const BACKUP_EVERY_HOURS = 6;
const OF_TOKENS: readonly string[] = ["token-failed", "chain-differs"];
/** Roots of this machine's own: no authority is asked. */
const rootsFile = join(tmpdir(), `roots-${Bun.randomUUIDv7()}.pem`);
const NOW_MS = Date.parse(`${TODAY}T12:00:00Z`);

let server: TestServer;
/** One with a chain, which begins with the first case that has tokens. */
let chained: TestServer | null = null;

async function start(chain: "on" | "off"): Promise<TestServer> {
  let ticks = 0;
  const runtime = {
    nowMs: () => NOW_MS,
    elapsedMs: () => performance.now() + ticks++ / 1e6,
    newId: () => Bun.randomUUIDv7(),
    random: () => 0,
  };
  const environment = {
    CAPTABLE_LOG: "off",
    CAPTABLE_CHAIN: chain,
    CAPTABLE_BACKUP_DIR: "backups",
    CAPTABLE_BACKUP_EVERY_HOURS: String(BACKUP_EVERY_HOURS),
    CAPTABLE_TSA_URL: "https://tsa.example",
    CAPTABLE_TSA_CA_FILE: rootsFile,
    CAPTABLE_TSA_EVERY_HOURS: String(BACKUP_EVERY_HOURS),
  };
  const started = await startTestServer(environment, { runtime, jobsTiming: QUICK, followers: [] });
  await backedUp(0, started);
  return started;
}

beforeAll(async () => {
  writeFileSync(rootsFile, rootCertificates.slice(0, 5).join("\n"));
  server = await start("off");
});
afterAll(async () => {
  rmSync(rootsFile);
  await server.stop();
  await chained?.stop();
});

/** The service of a code's cases. */
async function serverOf(code: string): Promise<TestServer> {
  if (!OF_TOKENS.includes(code)) return server;
  chained ??= await start("on");
  return chained;
}

function backedUp(hoursAgo: number, { app } = server): Promise<void> {
  const at = String(NOW_MS - hoursAgo * HOUR_MS);
  return app.writer.submit((tx) => storeSetting(tx, LAST_BACKUP, at));
}

const FORMER_KEY: Expected = { ids: [], says: ["1 API key works that was made by a former administrator"] };

/** A key that a person made, or another key, or the command line. */
function keyBy(
  org: Org,
  person: MadeMember | null,
  apiKeyId: string | null = null,
  given: Partial<Parameters<typeof createKey>[3]> = {},
) {
  const by = commandLineCall({ ...systemRuntime, nowMs: () => NOW_MS }, org.id);
  const ofPerson = { actor: "person", accountId: person?.accountId ?? null, actorName: "Ada" } as const;
  const call = { ...by, ...(person && ofPerson), ...(apiKeyId !== null && { actor: "api-key" as const, apiKeyId }) };
  return server.app.writer.submit((tx) => createKey(tx, call, "production", { name: "Key", role: "VIEWER", ...given }));
}

/** Makes a webhook endpoint as a person, with a key, or by the command line. */
function endpointBy(org: Org, person: MadeMember | null, apiKeyId: string | null = null) {
  const by = commandLineCall({ ...systemRuntime, nowMs: () => NOW_MS }, org.id);
  const ofPerson = { actor: "person", accountId: person?.accountId ?? null, actorName: "Ada" } as const;
  const call = { ...by, ...(person && ofPerson), ...(apiKeyId !== null && { actor: "api-key" as const, apiKeyId }) };
  const means = { key: new WebhookKey(null), allowed: PUBLIC_ADDRESSES };
  return server.app.writer.submit((tx) => makeEndpoint(tx, call, { url: "https://hooks.invalid/" }, means));
}

/** Stores a mail of an organization. */
async function mailed(
  org: Org,
  given: { readonly state: string; readonly attempts: number; readonly createdAt?: string },
) {
  const { state, attempts, createdAt = toTimestamp(NOW_MS) } = given;
  const text = `insert into mails (id, createdAt, kind, orgId, "to", about, state, attempts)
    values (?, ?, 'invitation', ?, 'a@example.com', 'x', ?, ?)`;
  const values = [crypto.randomUUID(), createdAt, org.id, state, attempts];
  await server.app.writer.submit((tx) => void tx.sqlite.prepare(text).run(values));
}

const endingIn = (days: number) => toTimestamp(NOW_MS + days * 24 * HOUR_MS);

/** Gives a key an end that it could not have been made with. */
function changeEnd(tx: Tx, orgId: string, id: string, expiresAt: string): void {
  tx.sqlite.prepare("update api_keys set expiresAt = ? where orgId = ? and id = ?").run(expiresAt, orgId, id);
}

/** What a finding is expected to say, and of which records. */
interface Expected {
  readonly names?: readonly string[];
  readonly ids?: readonly string[];
  readonly types?: readonly string[];
  readonly says?: readonly string[];
}

interface Case {
  readonly severity: "problem" | "warning" | "note";
  readonly action: string;
  readonly has: Readonly<Record<string, (org: Org) => Promise<Expected>>>;
  readonly hasNot: Readonly<Record<string, (org: Org) => Promise<unknown>>>;
}

const PREFERRED = { classType: "PREFERRED", pricePerShare: "1", liquidationPreferenceMultiple: "1" };
const THREE_FOR_TWO = { ...PREFERRED, conversionRights: [{ ratio: { numerator: "3", denominator: "2" } }] };

const MONTHLY = {
  ...{ name: "Monthly", description: "Four years by the month" },
  vestingConditions: [
    {
      id: "month",
      trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS", occurrences: 48 },
      portion: { numerator: 1, denominator: 48 },
    },
  ],
};

/** A plan with a class and a holder. */
async function withPlan(org: Org, planGiven: Readonly<Record<string, unknown>> = {}) {
  const stockClassId = await org.shareClass();
  return { holder: await org.holder(), stockClassId, plan: await org.plan(stockClassId, planGiven) };
}

/** Six hundred issued, cancelled, and issued again, the second time dated before the cancellation or not. */
async function issuedTwice(org: Org, secondDate: string): Promise<Expected> {
  const stockClassId = await org.shareClass({ initialSharesAuthorized: "1000" });
  const holder = await org.holder();
  const first = await org.shares(holder, stockClassId, { quantity: "600", effectiveDate: "2024-01-01" });
  await org.cancel(first, "600", "2024-06-01");
  await org.shares(holder, stockClassId, { quantity: "600", effectiveDate: secondDate });
  return { names: ["Common"], ids: [stockClassId], says: ["within its limit now", "on 2024-03-01 with 1200 of 1000"] };
}

async function grantedTwice(org: Org, secondDate: string): Promise<Expected> {
  const { holder, plan } = await withPlan(org);
  const first = await org.option(holder, plan, { quantity: "600", effectiveDate: "2024-01-01" });
  await org.cancel(first, "600", "2024-06-01");
  await org.option(holder, plan, { quantity: "600", effectiveDate: secondDate });
  return { names: ["2024 Plan"], ids: [plan], says: ["within its reserve now", "on 2024-03-01 by 200"] };
}

/** An option of a company with a 409A of 1.00 a share in force from 2026 on. */
async function valuedOption(org: Org, option: object, valuation: object = {}): Promise<Expected> {
  const { holder, stockClassId, plan } = await withPlan(org);
  await org.valuation(stockClassId, valuation as Record<string, unknown>);
  const id = await org.option(holder, plan, { effectiveDate: "2026-02-01", ...option });
  return { ids: [id] };
}

async function former(org: Org, given: { status: string; effectiveDate: string }): Promise<Expected> {
  const { plan } = await withPlan(org);
  const holder = await org.holder({ displayName: "Leaver", status: given.status });
  const { id: vestingTermsId } = await org.made("/vesting-terms", MONTHLY);
  await org.option(holder, plan, { vestingTermsId, effectiveDate: given.effectiveDate });
  return { names: ["Leaver"], ids: [holder] };
}

/** Stock of which half had vested when the holder left nine days ago. */
async function stoppedStock(org: Org): Promise<{ id: string; certificate: string }> {
  const { holder, stockClassId } = await withPlan(org);
  const { id: vestingTermsId } = await org.made("/vesting-terms", MONTHLY);
  const id = await org.shares(holder, stockClassId, {
    ...{ vestingTermsId, quantity: "96", certificateId: "CS-STOP", effectiveDate: "2024-05-23" },
  });
  await org.made("/transactions/terminate-service", { stakeholderId: holder, effectiveDate: "2026-05-23" });
  return { id, certificate: "CS-STOP" };
}

/** An approval of one step, moved as far as is asked. */
async function approval(org: Org, as: "draft" | "submitted" | "locked"): Promise<string> {
  const { id = "" } = await org.made("/approvals", { title: "Founders", entityType: "Other" });
  const step = await org.made(`/approvals/${id}/steps`, { name: "Board" });
  if (as !== "draft") await org.made(`/approvals/${id}/submit`, {});
  if (as !== "locked") return id;
  await org.made(`/approvals/${id}/steps/${step.id}`, { status: "APPROVED" }, "PATCH");
  await org.made(`/approvals/${id}/lock`, {});
  return id;
}

const VALUATION = {
  ...{ object_type: "VALUATION", id: "409A", valuation_type: "409A", stock_class_id: "common" },
  ...{ price_per_share: { amount: "1", currency: "USD" }, effective_date: "2025-12-01", provider: "Valuers" },
};
const SPLIT = {
  ...{ object_type: "TX_STOCK_CLASS_SPLIT", id: "split", date: "2026-02-01", stock_class_id: "common" },
  split_ratio: { numerator: "2", denominator: "1" },
};

/** A grant after the imported split. */
function after(strike: string) {
  return grant("after", "10", { date: "2026-03-01", exercise_price: { amount: strike, currency: "USD" } });
}

/** A class with its token, and stock that is minted. */
async function tokenized(org: Org) {
  const service = { api: (...[method, path, body]: Parameters<TestServer["api"]>) => org.call(method, path, body) };
  const stockClassId = await org.shareClass();
  const security = await org.shares(await org.holder(), stockClassId);
  await classWith(service, stockClassId, "DEPLOYED");
  await settled(service, stockClassId);
  return { stockClassId, security, service };
}

const CASES: Readonly<Record<(typeof CODES)[number], Case>> = {
  "class-over-authorized": {
    severity: "problem",
    action: "classes-and-plans",
    has: {
      "as the record stands": async (org) => {
        await org.import(stockIssuance("a", "900"), stockIssuance("b", "150", { date: "2024-03-01" }));
        return { names: ["Common"], says: ["has 1050 of 1000", "first over it on 2024-03-01 with 1050 of 1000"] };
      },
      "on a day in the past": (org) => issuedTwice(org, "2024-03-01"),
      "on a day to come": async (org) => {
        const later = { date: "2030-01-01", custom_id: "CS-2" };
        await org.import(stockIssuance("a", "900"), stockIssuance("b", "200", later), {
          ...{ object_type: "TX_STOCK_CANCELLATION", id: "end", date: "2030-02-01", security_id: "b" },
          ...{ quantity: "200", reason_text: "Planned" },
        });
        return { names: ["Common"], says: ["within its limit now", "will first be over it on 2030-01-01 with 1100"] };
      },
    },
    hasNot: {
      "to the last share": async (org) => org.import(stockIssuance("a", "1000")),
      "one after the other": (org) => issuedTwice(org, "2024-06-01"),
    },
  },
  "plan-over-reserve": {
    severity: "problem",
    action: "classes-and-plans",
    has: {
      "as the record stands": async (org) => {
        await org.import(IMPORTED_PLAN, grant("g", "130", { stock_plan_id: "plan" }));
        return { names: ["Imported Plan"], says: ["lacks 30 shares", "first over it on 2024-02-01 by 30"] };
      },
      "on a day in the past": (org) => grantedTwice(org, "2024-03-01"),
    },
    hasNot: {
      "to the last share": (org) => org.import(IMPORTED_PLAN, grant("g", "100", { stock_plan_id: "plan" })),
      "one after the other": (org) => grantedTwice(org, "2024-06-01"),
    },
  },
  "security-without-holder": {
    severity: "problem",
    action: "securities",
    has: {
      "by an import": async (org) => {
        await org.import(stockIssuance("a", "10", { stakeholder_id: "unknown" }), stockIssuance("b", "10"));
        return { names: ["N-a"], ids: ["a"] };
      },
    },
    hasNot: {
      "once it is cancelled": (org) =>
        org.import(stockIssuance("a", "10", { stakeholder_id: "unknown" }), {
          ...{ object_type: "TX_STOCK_CANCELLATION", id: "end", date: "2024-05-01", security_id: "a" },
          ...{ quantity: "10", reason_text: "Never existed" },
        }),
    },
  },
  "certificate-duplicate": {
    severity: "problem",
    action: "securities",
    has: {
      "two open ones": async (org) => {
        const number = { custom_id: "CS-7" };
        await org.import(stockIssuance("a", "10", number), stockIssuance("b", "10", number), stockIssuance("c", "10"));
        return { names: ["CS-7", "CS-7"], ids: ["a", "b"], says: ["1 certificate number is", "CS-7."] };
      },
      "a closed one that has nothing to do with the open one": async (org) => {
        const number = { custom_id: "CS-8" };
        await org.import(stockIssuance("a", "10", number), stockIssuance("b", "10", number), {
          ...{ object_type: "TX_STOCK_CANCELLATION", id: "end", date: "2024-05-01", security_id: "a" },
          ...{ quantity: "10", reason_text: "Lost" },
        });
        return { ids: ["a", "b"] };
      },
    },
    hasNot: {
      "what is left of a security": (org) =>
        org.import(
          stockIssuance("a", "10", { custom_id: "CS-9" }),
          stockIssuance("rest", "6", { custom_id: "CS-9", date: "2024-05-01" }),
          {
            ...{ object_type: "TX_STOCK_CANCELLATION", id: "part", date: "2024-05-01", security_id: "a" },
            ...{ quantity: "4", reason_text: "Part of it", balance_security_id: "rest" },
          },
        ),
    },
  },
  "token-failed": {
    severity: "problem",
    action: "classes-and-plans",
    has: {
      "a class": async (org) => {
        const { stockClassId, security } = await tokenized(org);
        await org.server.app.writer.submit((tx) => {
          setTokenization(tx, commandLineCall(systemRuntime, org.id), stockClassId, {
            tokenizationStatus: "FAILED",
            tokenError: "no gas",
          });
          setTokenStatus(tx, commandLineCall(systemRuntime, org.id), security, {
            tokenStatus: "FAILED",
            tokenError: "no gas",
          });
        });
        return { ids: [stockClassId], types: ["share-class"], says: ["1 share class failed"] };
      },
      "a security of a class that works": async (org) => {
        const { security } = await tokenized(org);
        const failed = { tokenStatus: "FAILED", tokenError: "no gas" } as const;
        await org.server.app.writer.submit((tx) =>
          setTokenStatus(tx, commandLineCall(systemRuntime, org.id), security, failed),
        );
        return { ids: [security], types: ["security"], says: ["1 security failed"] };
      },
    },
    hasNot: {
      "once it was tried again": async (org) => {
        const { stockClassId, service } = await tokenized(org);
        await org.server.app.writer.submit((tx) => {
          setTokenization(tx, commandLineCall(systemRuntime, org.id), stockClassId, {
            tokenizationStatus: "FAILED",
            tokenError: "no gas",
          });
        });
        await org.made(`/share-classes/${stockClassId}/retokenize`, {});
        await classWith(service, stockClassId, "DEPLOYED");
      },
    },
  },
  "chain-differs": {
    severity: "problem",
    action: "classes-and-plans",
    has: {
      "a holder's balance": async (org) => {
        const { stockClassId } = await tokenized(org);
        const difference = { address: `0x${"1".repeat(40)}`, expected: "1", found: "2" };
        const since = "2026-05-01T00:00:00.000Z";
        await org.server.app.writer.submit((tx) => {
          storeDifference(tx, org.id, stockClassId, { ...difference, since });
          storeDifference(tx, org.id, stockClassId, { ...difference, address: "total", since: toTimestamp(NOW_MS) });
        });
        return { ids: [stockClassId], says: ["since 2026-05-01", "The ledger is the record"] };
      },
    },
    hasNot: { "a token in step": (org) => tokenized(org) },
  },
  "valuation-expired": {
    severity: "warning",
    action: "valuations",
    has: {
      "more than twelve months old": async (org) => {
        const { id = "" } = await org.valuation(await org.shareClass(), { effectiveDate: "2025-05-31" });
        return { ids: [id], names: ["409A of 2025-05-31"], says: ["Common (2025-05-31)"] };
      },
      "past its expiration": async (org) => {
        const { id = "" } = await org.valuation(await org.shareClass(), { expirationDate: "2026-05-31" });
        return { ids: [id] };
      },
      "by its status, and a draft in its place": async (org) => {
        const stockClassId = await org.shareClass();
        const { id = "" } = await org.valuation(stockClassId, { status: "EXPIRED" });
        await org.valuation(stockClassId, { status: "DRAFT", effectiveDate: "2026-05-01" });
        return { ids: [id] };
      },
    },
    hasNot: {
      "on the last of the twelve months": async (org) => {
        const stockClassId = await org.shareClass();
        await org.valuation(stockClassId, { effectiveDate: "2023-01-01" });
        await org.valuation(stockClassId, { effectiveDate: "2025-06-01" });
      },
      "another kind of valuation": async (org) =>
        org.valuation(await org.shareClass(), { type: "BOARD", effectiveDate: "2023-01-01" }),
    },
  },
  "valuation-missing": {
    severity: "warning",
    action: "valuations",
    has: {
      "none at all": async (org) => {
        const { holder, plan } = await withPlan(org);
        return { ids: [await org.option(holder, plan, { effectiveDate: "2025-06-02" })] };
      },
      "one of another class, and one too old": async (org) => {
        const { holder, plan, stockClassId } = await withPlan(org);
        await org.valuation(await org.shareClass({ name: "Other" }));
        await org.valuation(stockClassId, { effectiveDate: "2025-02-01" });
        return { ids: [await org.option(holder, plan, { effectiveDate: "2026-02-02" })] };
      },
    },
    hasNot: {
      "in force on the day": (org) => valuedOption(org, {}),
      "granted more than twelve months ago": async (org) => {
        const { holder, plan } = await withPlan(org);
        await org.option(holder, plan, { effectiveDate: "2025-06-01" });
      },
      "units, which have no strike": (org) =>
        org.import(grant("g", "10", { date: "2026-02-01", compensation_type: "RSU", exercise_price: undefined })),
      "never granted": async (org) => {
        const { holder, plan } = await withPlan(org);
        const securityId = await org.option(holder, plan, { effectiveDate: "2026-02-01" });
        await org.run("retract", { securityId, reason: "In error", effectiveDate: TODAY });
      },
    },
  },
  "approval-missing": {
    severity: "warning",
    action: "approvals",
    has: {
      "no date and no approval": async (org) => ({
        ids: [await org.shares(await org.holder(), await org.shareClass())],
      }),
      "an approval that is not locked": async (org) => {
        const approvalId = await approval(org, "submitted");
        const [stakeholderId, stockClassId] = [await org.holder(), await org.shareClass()];
        const stock = { type: "STOCK", stakeholderId, stockClassId, quantity: "10", certificateId: "CS-1" };
        const { id = "" } = await org.made("/securities", { ...stock, approvalId, grantDate: "2024-01-01" });
        return { ids: [id] };
      },
    },
    hasNot: {
      "approved by the board, and handed on": async (org) => {
        const [from, to] = [await org.holder(), await org.holder()];
        const securityId = await org.shares(from, await org.shareClass(), { boardApprovalDate: "2023-12-01" });
        const parties = { fromStakeholderId: from, toStakeholderId: to };
        await org.run("transfer", { securityId, ...parties, quantity: "40", effectiveDate: "2024-02-01" });
      },
      "a locked approval": async (org) => {
        const approvalId = await approval(org, "locked");
        const [stakeholderId, stockClassId] = [await org.holder(), await org.shareClass()];
        const stock = { type: "STOCK", stakeholderId, stockClassId, quantity: "10", certificateId: "CS-1" };
        await org.made("/securities", { ...stock, approvalId, grantDate: "2024-01-01" });
      },
    },
  },
  "option-past-expiration": {
    severity: "warning",
    action: "securities",
    has: {
      "since yesterday": async (org) => {
        const { holder, plan } = await withPlan(org);
        return { ids: [await org.option(holder, plan, { expirationDate: "2026-05-31" })] };
      },
    },
    hasNot: {
      "on its last day, and one that is closed": async (org) => {
        const { holder, plan } = await withPlan(org);
        await org.option(holder, plan, { expirationDate: TODAY });
        await org.cancel(await org.option(holder, plan, { expirationDate: "2026-05-31" }), "100", TODAY);
      },
    },
  },
  "former-with-unvested": {
    severity: "warning",
    action: "stakeholders",
    has: { "half-way": (org) => former(org, { status: "FORMER", effectiveDate: "2024-06-01" }) },
    hasNot: {
      "all vested": (org) => former(org, { status: "FORMER", effectiveDate: "2022-06-01" }),
      "still there": (org) => former(org, { status: "CURRENT", effectiveDate: "2024-06-01" }),
    },
  },
  "stopped-unvested": {
    severity: "warning",
    action: "securities",
    has: {
      "since service ended, with the days": async (org) => {
        const { id, certificate } = await stoppedStock(org);
        return { ids: [id], says: [`${certificate}, 48 unvested for 9 days`] };
      },
    },
    hasNot: {
      "all of it repurchased": async (org) => {
        const { id: securityId } = await stoppedStock(org);
        const body = { securityId, quantity: "48", pricePerShare: "0.01", effectiveDate: TODAY };
        await org.made("/transactions/repurchase", body);
      },
      "taken up again": async (org) => {
        const { id: securityId } = await stoppedStock(org);
        await org.made("/transactions/start-vesting", { securityId, effectiveDate: TODAY });
      },
    },
  },
  "strike-below-valuation": {
    severity: "warning",
    action: "valuations",
    has: {
      below: (org) => valuedOption(org, { exercisePrice: "0.99" }),
      "below what an imported split left of the price": async (org) => {
        await org.import(VALUATION, SPLIT, grant("before", "10", { date: "2026-01-15" }), after("0.49"));
        return { ids: ["after"] };
      },
      "below what an imported split left of the price, which went piece by piece": async (org) => {
        const shares = Array.from({ length: 150 }, (_, i) => stockIssuance(`s${i}`, "1"));
        await org.import(VALUATION, ...shares, SPLIT, after("0.3"));
        return { ids: ["after"] };
      },
      "below before a split, and so after it": async (org) => {
        const expected = await valuedOption(org, { exercisePrice: "0.99" });
        const [{ id: stockClassId = "" } = {}] = (await org.call("GET", "/share-classes")).json.items;
        await org.made("/transactions/split", { stockClassId, numerator: 3, denominator: 1, effectiveDate: TODAY });
        return expected;
      },
    },
    hasNot: {
      "an imported split, which moves stock alone": (org) =>
        org.import(VALUATION, SPLIT, grant("before", "10", { date: "2026-01-15" }), after("0.50")),
      equal: (org) => valuedOption(org, { exercisePrice: "1.00" }),
      "equal before a split that rounds": async (org) => {
        await valuedOption(org, { exercisePrice: "1" });
        const [{ id: stockClassId = "" } = {}] = (await org.call("GET", "/share-classes")).json.items;
        await org.made("/transactions/split", { stockClassId, numerator: 3, denominator: 1, effectiveDate: TODAY });
      },
      "granted before the valuation": (org) => valuedOption(org, { exercisePrice: "0.5", effectiveDate: "2025-12-31" }),
      "a valuation that was not approved": (org) => valuedOption(org, { exercisePrice: "0.5" }, { status: "DRAFT" }),
    },
  },
  "vesting-start-missing": {
    severity: "warning",
    action: "securities",
    has: {
      "an imported grant without a start": async (org) => {
        await org.import(importedTerms("terms", "time"), grant("g", "48", { vesting_terms_id: "terms" }));
        return { ids: ["g"], names: ["N-g"] };
      },
    },
    hasNot: {
      started: (org) =>
        org.import(importedTerms("terms", "time"), grant("g", "48", { vesting_terms_id: "terms" }), {
          ...{ object_type: "TX_VESTING_START", id: "start-g", date: "2024-02-01", security_id: "g" },
          vesting_condition_id: "start",
        }),
      "terms that wait for an event alone": (org) =>
        org.import(importedTerms("terms", "event"), grant("g", "48", { vesting_terms_id: "terms" })),
      "granted here, where vesting starts with the grant": async (org) => {
        const { holder, plan } = await withPlan(org);
        const { id: vestingTermsId } = await org.made("/vesting-terms", MONTHLY);
        await org.option(holder, plan, { vestingTermsId });
      },
    },
  },
  "document-without-content": {
    severity: "warning",
    action: "documents",
    has: {
      "a path": async (org) => {
        const { id = "" } = await org.made("/documents", { title: "Charter", path: "charter.pdf" });
        return { ids: [id], names: ["Charter"] };
      },
    },
    hasNot: {
      "an address, or its bytes": async (org) => {
        await org.made("/documents", { title: "Charter", uri: "https://example.com/charter.pdf" });
        const { id } = await org.made("/documents", { title: "Bylaws", path: "bylaws.pdf" });
        const content = new TextEncoder().encode("the bylaws");
        const headers = { "content-type": "application/pdf" };
        await server.api("PUT", `/documents/${id}/content`, content, { orgId: org.id, headers });
      },
    },
  },
  "preferred-without-preference": {
    severity: "warning",
    action: "classes-and-plans",
    has: {
      "no multiple": async (org) => {
        const id = await org.shareClass({ name: "Series A", classType: "PREFERRED", pricePerShare: "1" });
        return { ids: [id], names: ["Series A"] };
      },
      "no price": async (org) => {
        const multiple = { liquidationPreferenceMultiple: "1" };
        return { ids: [await org.shareClass({ name: "Series B", classType: "PREFERRED", ...multiple })] };
      },
    },
    hasNot: {
      "both, and common stock": async (org) => {
        const terms = { pricePerShare: "1", liquidationPreferenceMultiple: "1" };
        await org.shareClass({ name: "Series A", classType: "PREFERRED", ...terms });
        await org.shareClass();
      },
    },
  },
  "convertible-without-terms": {
    severity: "warning",
    action: "securities",
    has: {
      "nothing said": async (org) => {
        const body = {
          type: "CONVERTIBLE",
          stakeholderId: await org.holder(),
          quantity: "50000",
          certificateId: "C-1",
        };
        const { id = "" } = await org.made("/securities", { ...body, grantDate: "2024-01-01" });
        return { ids: [id], names: ["C-1"] };
      },
      "its kind alone": async (org) => {
        const body = { stakeholderId: await org.holder(), quantity: "50000", certificateId: "C-1" };
        const kind = { convertibleType: "CONVERTIBLE_SECURITY", effectiveDate: "2024-01-01" };
        return { ids: [await org.run("issue-convertible", { ...body, ...kind })] };
      },
    },
    hasNot: {
      "a SAFE, and a cap": async (org) => {
        const body = { stakeholderId: await org.holder(), quantity: "50000", effectiveDate: "2024-01-01" };
        await org.run("issue-convertible", { ...body, certificateId: "C-1", convertibleType: "SAFE" });
        const capped = { convertibleType: "CONVERTIBLE_SECURITY", valuationCap: "5000000" };
        await org.run("issue-convertible", { ...body, certificateId: "C-2", ...capped });
      },
    },
  },
  "admin-without-second-factor": {
    severity: "warning",
    action: "settings",
    has: {
      "one who signs in by a password alone, and one who has codes": async (org) => {
        await makeMember(server.app.writer, org.id, { role: "ADMIN" });
        const { accountId: id } = await makeMember(server.app.writer, org.id, { role: "ADMIN" });
        await server.app.writer.submit((tx) => setTotp(tx, { id, totpSecret: "sealed", totpLastStep: null }));
        return { ids: [], says: ["1 administrator has no second factor"] };
      },
    },
    hasNot: {
      "another role, one who was removed, and one who is suspended": async (org) => {
        const { writer } = server.app;
        await makeMember(writer, org.id, { role: "EDITOR" });
        const [gone, asleep] = [await makeMember(writer, org.id), await makeMember(writer, org.id)];
        await org.call("DELETE", `/members/${gone.memberId}`);
        await writer.submit((tx) => setSuspended(tx, { id: asleep.accountId, suspendedAt: toTimestamp(NOW_MS) }));
      },
      "one who has a passkey": async (org) => {
        const { accountId } = await makeMember(server.app.writer, org.id);
        const passkey = { credentialId: "c", publicKey: "k", counter: 0, transports: "[]", name: "Key" };
        const made = { id: systemRuntime.newId(), createdAt: toTimestamp(NOW_MS), lastUsedAt: null };
        await server.app.writer.submit((tx) => insertRow(tx, "passkeys", { ...made, accountId, ...passkey }));
      },
    },
  },
  "key-of-former-member": {
    severity: "warning",
    action: "settings",
    has: {
      "one of a person who was removed": async (org) => {
        const gone = await makeMember(server.app.writer, org.id);
        await keyBy(org, gone);
        await org.call("DELETE", `/members/${gone.memberId}`);
        return FORMER_KEY;
      },
      "one of a person who is no administrator any more": async (org) => {
        const demoted = await makeMember(server.app.writer, org.id);
        await keyBy(org, demoted);
        await org.call("PATCH", `/members/${demoted.memberId}`, { role: "EDITOR" });
        return FORMER_KEY;
      },
      "one of a person who is suspended": async (org) => {
        const { writer } = server.app;
        const asleep = await makeMember(writer, org.id);
        await keyBy(org, asleep);
        await writer.submit((tx) => setSuspended(tx, { id: asleep.accountId, suspendedAt: toTimestamp(NOW_MS) }));
        return FORMER_KEY;
      },
      "one that was made with a key that is revoked": async (org) => {
        const first = await keyBy(org, null);
        await keyBy(org, null, first.row.id);
        await org.call("DELETE", `/api-keys/${first.row.id}`);
        return FORMER_KEY;
      },
      "a webhook endpoint of a person who was removed": async (org) => {
        const gone = await makeMember(server.app.writer, org.id);
        await endpointBy(org, gone);
        await org.call("DELETE", `/members/${gone.memberId}`);
        return { ids: [], says: ["1 webhook endpoint is enabled that was made by a former administrator"] };
      },
      "a webhook endpoint of a key that is revoked": async (org) => {
        const first = await keyBy(org, null);
        await endpointBy(org, null, first.row.id);
        await org.call("DELETE", `/api-keys/${first.row.id}`);
        return { ids: [], says: ["1 webhook endpoint is enabled that was made by a former administrator"] };
      },
    },
    hasNot: {
      "webhook endpoints of an administrator, and one that was disabled with its maker": async (org) => {
        const [admin, gone] = [
          await makeMember(server.app.writer, org.id),
          await makeMember(server.app.writer, org.id),
        ];
        await endpointBy(org, admin);
        await endpointBy(org, null);
        await endpointBy(org, gone);
        await org.call("DELETE", `/members/${gone.memberId}?revokeKeys=true`);
      },
      "those of an administrator, of a key that works and of the command line, and ones that were revoked": async (
        org,
      ) => {
        const [admin, gone] = [
          await makeMember(server.app.writer, org.id),
          await makeMember(server.app.writer, org.id),
        ];
        await keyBy(org, admin);
        const first = await keyBy(org, null);
        await keyBy(org, null, first.row.id);
        const revoked = await keyBy(org, gone);
        await org.call("DELETE", `/members/${gone.memberId}`);
        await org.call("DELETE", `/api-keys/${revoked.row.id}`);
      },
    },
  },
  "key-expires-soon": {
    severity: "warning",
    action: "settings",
    has: {
      "in thirty days to the second": async (org) => {
        await keyBy(org, null, null, { expiresAt: endingIn(30) });
        return { ids: [], says: ["1 API key ends on 2026-07-01"] };
      },
    },
    hasNot: {
      "a moment later, or it has ended, was revoked or has no end": async (org) => {
        await keyBy(org, null, null, { expiresAt: toTimestamp(Date.parse(endingIn(30)) + 1) });
        const ended = await keyBy(org, null, null, { expiresAt: endingIn(5) });
        await server.app.writer.submit((tx) => changeEnd(tx, org.id, ended.row.id, toTimestamp(NOW_MS)));
        const revoked = await keyBy(org, null, null, { expiresAt: endingIn(5) });
        await org.call("DELETE", `/api-keys/${revoked.row.id}`);
        await keyBy(org, null);
      },
    },
  },
  "backup-old": {
    severity: "warning",
    action: "settings",
    has: {
      "more than twice the interval ago": async () => {
        await backedUp(2 * BACKUP_EVERY_HOURS + 1);
        return { ids: [], says: ["made 13 hours ago", "every 6 hours"] };
      },
    },
    hasNot: { "twice the interval ago": () => backedUp(2 * BACKUP_EVERY_HOURS) },
  },
  "mail-failing": {
    severity: "warning",
    action: "settings",
    has: {
      "a mail that was refused": async (org) => {
        await mailed(org, { state: "FAILED", attempts: 1 });
        return { ids: [], says: ["1 mail of the last 7 days"] };
      },
      "one that was tried three times": async (org) => {
        await mailed(org, { state: "QUEUED", attempts: 3 });
        return { ids: [], says: ["1 mail of the last 7 days"] };
      },
    },
    hasNot: {
      "sent, tried twice, or older": async (org) => {
        await mailed(org, { state: "SENT", attempts: 5 });
        await mailed(org, { state: "QUEUED", attempts: 2 });
        await mailed(org, { state: "FAILED", attempts: 9, createdAt: toTimestamp(NOW_MS - 8 * 86_400_000) });
      },
    },
  },
  "timestamp-old": {
    severity: "warning",
    action: "settings",
    has: {
      "writes of more than twice the interval ago, behind the last one": async (org) => {
        await stampedUpTo(org, 0);
        await loggedAgo(org, 2 * BACKUP_EVERY_HOURS * HOUR_MS + HOUR_MS);
        return { ids: [], says: ["Writes of 13 hours ago", "the last is of 2026-01-01T", "every 6 hours"] };
      },
    },
    hasNot: {
      "of twice the interval ago": async (org) => {
        await stampedUpTo(org, 0);
        await loggedAgo(org, 2 * BACKUP_EVERY_HOURS * HOUR_MS);
      },
      "of long ago, which one covers": async (org) => {
        await loggedAgo(org, 100 * HOUR_MS);
        await stampedUpTo(org, 0);
      },
    },
  },
  "class-short-of-reserved": {
    severity: "warning",
    action: "classes-and-plans",
    has: {
      "stock, option, warrant, reserve and conversion together": async (org) => {
        const holder = await org.holder();
        const common = await org.shareClass({ initialSharesAuthorized: "999" });
        const preferred = await org.shareClass({ name: "Series A", classType: "PREFERRED" });
        const plan = await org.plan(common, { initialSharesReserved: "300" });
        await org.shares(holder, common, { quantity: "500" });
        await org.shares(holder, preferred, { quantity: "150" });
        await org.option(holder, plan, { quantity: "100" });
        const warrant = { stakeholderId: holder, stockClassId: common, quantity: "50", exercisePrice: "1" };
        await org.run("issue-warrant", { ...warrant, certificateId: "W-1", effectiveDate: "2024-01-01" });
        return { ids: [common], says: ["Common needs 1000 and has 999"] };
      },
    },
    hasNot: {
      "just enough": async (org) => {
        const holder = await org.holder();
        const common = await org.shareClass({ initialSharesAuthorized: "1000" });
        await org.plan(common, { initialSharesReserved: "300" });
        await org.shares(holder, common, { quantity: "700" });
      },
    },
  },
  "plan-expired": {
    severity: "warning",
    action: "securities",
    has: {
      "a day after the plan's last": async (org) => {
        const { holder, plan } = await withPlan(org, { expirationDate: "2024-01-31" });
        return { ids: [await org.option(holder, plan, { effectiveDate: "2024-02-01" })] };
      },
      "in another's hands": async (org) => {
        const { holder, plan } = await withPlan(org, { expirationDate: "2024-01-31" });
        const securityId = await org.option(holder, plan, { effectiveDate: "2024-02-01" });
        const toStakeholderId = await org.holder();
        const moved = { securityId, fromStakeholderId: holder, toStakeholderId, quantity: "100" };
        return { ids: [await org.run("transfer", { ...moved, effectiveDate: "2024-03-01" })] };
      },
    },
    hasNot: {
      "on its last day, and closed ones of later": async (org) => {
        const { holder, plan } = await withPlan(org, { expirationDate: "2024-01-31" });
        await org.option(holder, plan, { effectiveDate: "2024-01-31" });
        await org.cancel(await org.option(holder, plan, { effectiveDate: "2024-02-01" }), "100", "2024-02-02");
      },
    },
  },
  "expires-before-grant": {
    severity: "warning",
    action: "securities",
    has: {
      "by a day": async (org) => {
        const { holder, plan } = await withPlan(org);
        const days = { effectiveDate: "2024-02-01", expirationDate: "2024-01-31" };
        return { ids: [await org.option(holder, plan, days)] };
      },
    },
    hasNot: {
      "on the same day": async (org) => {
        const { holder, plan } = await withPlan(org);
        await org.option(holder, plan, { effectiveDate: "2024-02-01", expirationDate: "2024-02-01" });
      },
    },
  },
  "day-differs": {
    severity: "warning",
    action: "securities",
    has: {
      "once it was changed": async (org) => {
        const id = await org.shares(await org.holder(), await org.shareClass(), { certificateId: "CS-77" });
        await org.made(`/securities/${id}`, { grantDate: "2024-02-01" }, "PATCH");
        return { ids: [id], says: ["CS-77 (2024-02-01, not 2024-01-01)"] };
      },
      "of one that was transferred": async (org) => {
        const holder = await org.holder();
        const securityId = await org.shares(holder, await org.shareClass());
        const moved = { securityId, fromStakeholderId: holder, toStakeholderId: await org.holder(), quantity: "10" };
        const id = await org.run("transfer", { ...moved, effectiveDate: "2024-03-01" });
        await org.made(`/securities/${id}`, { grantDate: "2024-02-01" }, "PATCH");
        return { ids: [id], says: ["(2024-02-01, not 2024-03-01)"] };
      },
    },
    hasNot: {
      "changed back": async (org) => {
        const id = await org.shares(await org.holder(), await org.shareClass());
        await org.made(`/securities/${id}`, { grantDate: "2024-02-01" }, "PATCH");
        await org.made(`/securities/${id}`, { grantDate: "2024-01-01" }, "PATCH");
      },
    },
  },
  "iso-to-non-employee": {
    severity: "warning",
    action: "securities",
    has: {
      "an adviser's": async (org) => {
        const { holder, plan } = await withPlan(org);
        await org.made(`/stakeholders/${holder}`, { relationships: ["ADVISOR"] }, "PATCH");
        return { ids: [await org.option(holder, plan, { optionType: "ISO" })] };
      },
    },
    hasNot: {
      "an executive's, one of whom nothing is known, an adviser's NSO, and what is closed": async (org) => {
        const { holder, plan } = await withPlan(org);
        await org.option(holder, plan, { optionType: "ISO" });
        const [boss, adviser] = [
          await org.holder({ relationships: ["EXECUTIVE"] }),
          await org.holder({ relationships: ["ADVISOR"] }),
        ];
        await org.option(boss, plan, { optionType: "ISO" });
        await org.option(adviser, plan);
        await org.cancel(await org.option(adviser, plan, { optionType: "ISO" }), "100", "2024-02-02");
      },
    },
  },
  "iso-term": {
    severity: "warning",
    action: "securities",
    has: {
      "a day more than ten years": async (org) => {
        const { holder, plan } = await withPlan(org);
        return { ids: [await org.option(holder, plan, { optionType: "ISO", expirationDate: "2034-01-02" })] };
      },
    },
    hasNot: {
      "ten years, and an NSO of more": async (org) => {
        const { holder, plan } = await withPlan(org);
        await org.option(holder, plan, { optionType: "ISO", expirationDate: "2034-01-01" });
        await org.option(holder, plan, { expirationDate: "2044-01-01" });
      },
    },
  },
  "iso-ten-percent-holder": {
    severity: "warning",
    action: "securities",
    has: {
      "of more than five years": async (org) => {
        const { holder, plan, stockClassId: common } = await withPlan(org);
        await org.shares(holder, common);
        return { ids: [await org.option(holder, plan, { optionType: "ISO", expirationDate: "2029-01-02" })] };
      },
      "at less than 110 % of the valuation": async (org) => {
        const { holder, plan, stockClassId: common } = await withPlan(org);
        await org.shares(holder, common);
        await org.valuation(common, { pricePerShare: "1", effectiveDate: "2024-01-01" });
        const terms = { optionType: "ISO", exercisePrice: "1.09", expirationDate: "2029-01-01" };
        return { ids: [await org.option(holder, plan, terms)] };
      },
    },
    hasNot: {
      "at 110 % and of five years, or of a smaller holder": async (org) => {
        const { holder, plan, stockClassId: common } = await withPlan(org);
        await org.shares(holder, common, { quantity: "90" });
        await org.valuation(common, { pricePerShare: "1", effectiveDate: "2024-01-01" });
        const terms = { optionType: "ISO", exercisePrice: "1.1", expirationDate: "2029-01-01" };
        await org.option(holder, plan, terms);
        const other = await org.holder();
        await org.shares(other, common, { quantity: "10" });
        await org.option(other, plan, { ...terms, exercisePrice: "1", expirationDate: "2034-01-01" });
      },
    },
  },
  "iso-plan-approval": {
    severity: "warning",
    action: "classes-and-plans",
    has: {
      "none, after twelve months": async (org) => {
        const { holder, plan } = await withPlan(org, { adoptedDate: "2024-01-01" });
        return { ids: [await org.option(holder, plan, { optionType: "ISO" })] };
      },
    },
    hasNot: {
      "in time, or of NSOs": async (org) => {
        const days = { adoptedDate: "2024-01-01", stockholderApprovalDate: "2025-01-01" };
        const { holder, plan, stockClassId: common } = await withPlan(org, days);
        await org.option(holder, plan, { optionType: "ISO" });
        await org.option(holder, await org.plan(common, { adoptedDate: "2024-01-01" }));
      },
    },
  },
  "iso-plan-age": {
    severity: "warning",
    action: "classes-and-plans",
    has: {
      "a day more than ten years": async (org) => {
        const days = { adoptedDate: "2014-01-02", stockholderApprovalDate: "2013-12-31" };
        const { holder, plan } = await withPlan(org, days);
        return { ids: [await org.option(holder, plan, { optionType: "ISO" })] };
      },
    },
    hasNot: {
      "ten years to the day": async (org) => {
        const days = { adoptedDate: "2014-01-02", stockholderApprovalDate: "2014-01-01" };
        const { holder, plan } = await withPlan(org, days);
        await org.option(holder, plan, { optionType: "ISO" });
      },
    },
  },
  "plan-without-class": {
    severity: "warning",
    action: "classes-and-plans",
    has: {
      "with a reserve": async (org) => ({ ids: [await org.plan("", { stockClassIds: [] })], names: ["2024 Plan"] }),
      "with an award that took all of it": async (org) => {
        const plan = await org.plan("", { stockClassIds: [], initialSharesReserved: "100" });
        await org.option(await org.holder(), plan);
        return { ids: [plan] };
      },
    },
    hasNot: {
      "of a class": (org) => withPlan(org),
      "used up": async (org) => {
        const plan = await org.plan("", { stockClassIds: [], initialSharesReserved: "100" });
        const securityId = await org.option(await org.holder(), plan);
        const ended = { quantity: "100", cancellationReason: "FORFEITURE", effectiveDate: "2024-05-01" };
        await org.run("cancel", { securityId, ...ended });
      },
    },
  },
  "unnamed-organization": {
    severity: "note",
    action: "settings",
    has: { "the first one": async () => ({ ids: [server.orgId], types: ["organization"] }) },
    hasNot: { "one with a name": async () => undefined },
  },
  "key-without-expiry": {
    severity: "note",
    action: "settings",
    has: {
      "of an administrator, limited or not": async (org) => {
        await keyBy(org, null, null, { role: "ADMIN", scopes: ["read"] });
        return { ids: [], says: ["1 ADMIN key works until it is revoked"] };
      },
    },
    hasNot: {
      "with an end, revoked, or of another role": async (org) => {
        await keyBy(org, null, null, { role: "ADMIN", expiresAt: endingIn(365) });
        const revoked = await keyBy(org, null, null, { role: "ADMIN" });
        await org.call("DELETE", `/api-keys/${revoked.row.id}`);
        await keyBy(org, null, null, { role: "EDITOR" });
      },
    },
  },
  "holder-without-email": {
    severity: "note",
    action: "stakeholders",
    has: {
      "who holds stock": async (org) => {
        const holder = await org.holder({ displayName: "Silent", email: null });
        await org.shares(holder, await org.shareClass());
        return { ids: [holder], names: ["Silent"] };
      },
    },
    hasNot: {
      "an address, or nothing held": async (org) => {
        await org.holder({ email: null });
        await org.shares(await org.holder(), await org.shareClass());
      },
    },
  },
  "ratio-not-one": {
    severity: "note",
    action: "classes-and-plans",
    has: {
      "three for two": async (org) => {
        const id = await org.shareClass({ name: "Series A", ...THREE_FOR_TWO });
        await org.shares(await org.holder(), id, { quantity: "2" });
        return { ids: [id], names: ["Series A"], says: ["Series A 3:2"] };
      },
    },
    hasNot: {
      "one for one, and without a share": async (org) => {
        await org.shares(await org.holder(), await org.shareClass({ ...PREFERRED, name: "Series A" }), {
          quantity: "2",
        });
        await org.shareClass({ name: "Series B", ...THREE_FOR_TWO });
      },
    },
  },
  "same-name": {
    severity: "note",
    action: "stakeholders",
    has: {
      "written in two ways": async (org) => {
        const name = (legalName: string) => ({ displayName: legalName, name: { legalName } });
        const ids = [await org.holder(name("Ann O'Hara")), await org.holder(name("ANN  O’HARA"))];
        return { ids, names: ["Ann O'Hara", "ANN  O’HARA"], says: ["legal name"] };
      },
    },
    hasNot: {
      "names that are alike": async (org) => {
        const name = (legalName: string) => ({ displayName: legalName, name: { legalName } });
        await org.holder(name("Tomas"));
        await org.holder(name("Tomás"));
      },
    },
  },
  "approval-waiting": {
    severity: "note",
    action: "approvals",
    has: { submitted: async (org) => ({ ids: [await approval(org, "submitted")], names: ["Founders"] }) },
    hasNot: {
      "not yet, and no longer": async (org) => {
        await approval(org, "draft");
        await approval(org, "locked");
      },
    },
  },
  "acceptance-waiting": {
    severity: "note",
    action: "securities",
    has: {
      "for more than 30 days": async (org) => ({
        ids: [await waitingFor(org, 31, "CS-31"), await waitingFor(org, 400, "CS-400")],
        names: ["CS-31", "CS-400"],
        says: ["2 securities wait"],
      }),
    },
    hasNot: {
      "for 30 days, accepted, ended, and asked no more": async (org) => {
        await waitingFor(org, 30, "CS-30");
        const [accepted, ended, unasked] = [
          await waitingFor(org, 31, "CS-1"),
          await waitingFor(org, 31, "CS-2"),
          await waitingFor(org, 31, "CS-3"),
        ];
        await org.made(`/securities/${accepted}/acceptances`, { acceptedOn: TODAY });
        await org.run("retract", { securityId: ended, reason: "Never issued", effectiveDate: TODAY });
        await org.made(`/securities/${unasked}`, { asksAcceptance: false }, "PATCH");
      },
    },
  },
};

/** Stock whose holder was asked to accept it some days ago. */
async function waitingFor(org: Org, days: number, certificateId: string): Promise<string> {
  const id = await org.shares(await org.holder(), await org.shareClass({ name: certificateId }), {
    ...{ asksAcceptance: true, certificateId },
  });
  const acceptanceAskedAt = toTimestamp(NOW_MS - days * 24 * HOUR_MS);
  const call = commandLineCall(systemRuntime, org.id);
  await org.server.app.writer.submit((tx) => changeLogged(tx, call, "securities", id, { acceptanceAskedAt }));
  return id;
}

function expectSaid(finding: ShownFinding | null, { severity, action }: Case, expected: Expected): void {
  const { ids, names, types, says = [] } = expected;
  const subjects = finding?.subjects ?? [];
  expect(finding).toMatchObject({ severity, action, count: Math.max(1, (ids ?? names ?? []).length) });
  if (ids) expect(subjects.map(({ id }) => id)).toEqual([...ids]);
  if (names) expect(subjects.map(({ name }) => name)).toEqual([...names]);
  if (types) expect(subjects.map(({ resourceType }) => resourceType)).toEqual([...types]);
  for (const words of says) expect(finding?.detail).toContain(words);
  expect(finding?.detail).toMatch(/^[A-Z0-9].*[.]$/);
}

/** A checkpoint with a time stamp, of the whole log but for its last rows. */
async function stampedUpTo(org: Org, butFor: number): Promise<void> {
  const { writer } = server.app;
  const { sequence } = findLogHead(writer.db, org.id);
  const heads = { ledgerSize: 0, ledgerHead: "", logSize: sequence - butFor, logHead: "" };
  const row = { orgId: org.id, id: Bun.randomUUIDv7(), time: "", ...heads, note: "", ledgerNote: "", logNote: "" };
  const kept = { ...row, ledgerCosigned: 0, logCosigned: 0 };
  await writer.submit((tx) => keepStamped(tx, kept, { at: "2026-01-01T00:00:00.000Z", newId: Bun.randomUUIDv7 }));
}

/** A row of the log that was written so long ago. */
async function loggedAgo(org: Org, ms: number): Promise<void> {
  const call = { ...commandLineCall(systemRuntime, org.id), at: toTimestamp(NOW_MS - ms) };
  await server.app.writer.submit((tx) => tellOf(tx, call, "log", null, {}));
}

test("problems come first, then warnings, then notes", () => {
  const severities = CODES.map((code) => CASES[code].severity);
  expect(severities).toEqual(SEVERITIES.flatMap((severity) => severities.filter((each) => each === severity)));
});

for (const [code, each] of Object.entries(CASES)) {
  describe(code, () => {
    for (const [what, prepare] of Object.entries(each.has)) {
      test(`is there: ${what}`, async () => {
        const isFirst = code === "unnamed-organization";
        const server = await serverOf(code);
        const org = new Org(server, isFirst ? server.orgId : await server.newOrganization("Acme, Inc."));
        const expected = await prepare(org);
        expectSaid(await org.find(code), each, expected);
        const another = new Org(server, await server.newOrganization("Other, Inc."));
        const seen = (await another.findings()).filter((finding) => finding.code !== "backup-old");
        expect(seen).toEqual([]);
      });
    }
    for (const [what, prepare] of Object.entries(each.hasNot)) {
      test(`is not there: ${what}`, async () => {
        const server = await serverOf(code);
        const org = new Org(server, await server.newOrganization("Acme, Inc."));
        await prepare(org);
        expect(await org.find(code)).toBeNull();
      });
    }
  });
}
