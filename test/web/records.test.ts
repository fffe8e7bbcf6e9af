// What pages make of records before they show them: audit entries in words, lines of valuations, files to be stored.
import { expect, test } from "bun:test";
import { type FieldSpec, fieldsOf } from "../../src/web/pages/actions/spec.ts";
import { type AuditEntry, changesOf, nameIn, whatWords } from "../../src/web/pages/audit-log/log-entries.ts";
import { choiceOf, holdersIn, relatedOf, titleOfFile } from "../../src/web/pages/documents/document-files.ts";
import { recordOf } from "../../src/web/pages/records/record-specs.ts";
import { daysLeft, highest, linesOf, type Valuation } from "../../src/web/pages/valuations/lines.ts";
import { faultOf, faultsOf, changesOf as recordChanges, valuesOf, wholeOf } from "../../src/web/parts/forms/body.ts";
import { type BodyOf, type Spec, shownOf, type Values } from "../../src/web/parts/forms/field-spec.ts";
import { plainFault, textIn } from "../../src/web/parts/forms/plain.ts";
import { faultsIn } from "../../src/web/parts/forms/words.ts";
import { COMMON, FIELD_FAULTS } from "../../src/web/text/common.ts";
import { FIGURE_FAULTS } from "../../src/web/text/figure-faults.ts";
import { ROUTES } from "../matrix/world.ts";

test("an audit entry says what was done to what, and only what changed", () => {
  const before = { displayName: "Ada", email: null, deletedAt: null, tags: "[]" };
  const after = { displayName: "Ada L.", email: null, deletedAt: null, tags: "[]" };
  const resourceType = "stakeholder";
  expect(changesOf({ before, after })).toEqual([{ member: "displayName", before: "Ada", after: "Ada L." }]);
  expect(nameIn({ before, after })).toBe("Ada L.");
  expect(whatWords({ resourceType, before, after })).toBe("Changed: Stakeholder");
  expect(whatWords({ resourceType, before: null, after })).toBe("Created: Stakeholder");
  expect(whatWords({ resourceType, before, after: { deletedAt: "2026-01-01T00:00:00.000Z" } })).toBe(
    "Deleted: Stakeholder",
  );
  expect(whatWords({ resourceType: "new kind" as "log", before, after })).toBe("Changed: New kind");
  expect(changesOf({ before: null, after: { a: 1, b: null } })).toEqual([{ member: "a", before: null, after: "1" }]);
});

test("an audit entry of an invitation, a reset link or an account says what happened, not that it was made", () => {
  const words = (resourceType: AuditEntry["resourceType"], after: Record<string, unknown>) =>
    whatWords({ resourceType, before: null, after });
  const invited = { email: "elodie@acme.example", role: "ADMIN" };
  expect(words("invitation", invited)).toBe("Created: Invitation");
  expect(nameIn({ before: null, after: invited })).toBe("elodie@acme.example");
  expect(words("invitation", { revokedAt: "2026-01-01T00:00:00.000Z" })).toBe("Revoked: Invitation");
  expect(words("invitation", { usedAt: "2026-01-01T00:00:00.000Z" })).toBe("Accepted: Invitation");
  expect(words("account", { sessionsEndedAt: "2026-01-01T00:00:00.000Z" })).toBe("All sessions ended: Account");
  expect(words("account", { resetLinkMadeAt: "2026-01-01T00:00:00.000Z" })).toBe("Reset link created: Account");
  // A new key has `revokedAt: null`, which is no revocation.
  expect(words("api key", { name: "Payroll", revokedAt: null })).toBe("Created: API key");
  expect(words("account", { name: "Ada L." })).toBe("Changed: Account");
});

test("an export stands in the log in plain words, whatever can be exported", () => {
  const words = (route: string, format: string) =>
    whatWords({
      resourceType: "log",
      method: "exported",
      before: null,
      after: { route, format, bytes: 1, asOf: null },
    });
  expect(words("/api/v1/reports/stock-ledger.csv", "CSV")).toBe("Exported: Stock ledger (CSV)");
  expect(words("/api/v1/cap-table/ocf-export", "OCF")).toBe("Exported: Open Cap Format package (zip)");
  expect(words("captable report workbook", "XLSX")).toBe("Exported: captable report workbook (XLSX)");
  // A route without words would stand there as its address.
  const exporting = ROUTES.filter((route) => route.method === "GET" && route.exports !== undefined);
  expect(exporting.length).toBeGreaterThan(25);
  expect(exporting.filter(({ path }) => words(path, "CSV").includes("/")).map(({ path }) => path)).toEqual([]);
  expect(words("/api/v1/other.csv", "CSV")).toContain("/");
  expect(whatWords({ resourceType: "log", method: "accept-rollback", before: { time: "" }, after: {} })).toBe(
    "Data accepted against a checkpoint",
  );
});

function valuation(stockClassId: string, status: Valuation["status"], effectiveDate: string, pricePerShare: string) {
  return {
    ...{ id: effectiveDate, orgId: "o", type: "409A" as const, status, stockClassId, pricePerShare, effectiveDate },
    pricePerShareToday: pricePerShare,
    ...{ expirationDate: null, provider: null, reportId: null, fairMarketValue: null, enterpriseValue: null },
    ...{ boardApprovalDate: null, stockholderApprovalDate: null, comments: null, sourceDocumentId: null },
    ...{ verificationStatus: "UNVERIFIED" as const, createdAt: "", updatedAt: "" },
  } as const;
}

test("a line of prices has what was approved once, by class and by day", () => {
  const lines = linesOf(
    [
      valuation("a", "APPROVED", "2026-02-01", "1.5"),
      valuation("a", "EXPIRED", "2025-02-01", "0.9"),
      valuation("a", "DRAFT", "2026-05-01", "9"),
      valuation("b", "APPROVED", "2026-01-01", "10"),
    ],
    (id) => `Class ${id}`,
  );
  expect(lines).toEqual([
    {
      id: "a",
      name: "Class a",
      points: [
        { date: "2025-02-01", price: "0.9" },
        { date: "2026-02-01", price: "1.5" },
      ],
    },
    { id: "b", name: "Class b", points: [{ date: "2026-01-01", price: "10" }] },
  ]);
  expect(highest(["9", "10", "0.9"])).toBe("10");
  expect(daysLeft({ expirationDate: "2026-03-01" }, "2026-02-27")).toBe(2);
  expect(daysLeft({ expirationDate: "2026-02-26" }, "2026-02-27")).toBe(-1);
  expect(daysLeft({ expirationDate: null }, "2026-02-27")).toBeNull();
});

test("a file's title is its name without the ending, and choices name what documents are about", () => {
  const names = ["Charter_2021.pdf", "minutes", ".profile", "v1.2 terms.docx"];
  expect(names.map(titleOfFile)).toEqual(["Charter 2021", "minutes", ".profile", "v1.2 terms"]);
  const related = [
    { objectType: "STAKEHOLDER", objectId: "1" },
    { objectType: "SECURITY", objectId: "2" },
  ] as const;
  const choices = related.map(choiceOf);
  expect(relatedOf(choices)).toEqual([...related]);
  expect(holdersIn(choices)).toEqual(["1"]);
});

test("a dialog's form sends every field, null for what is empty, and what its spec refuses stands at the field", () => {
  const fields: readonly FieldSpec[] = [
    { name: "title", kind: "text" },
    { name: "summary", kind: "long", isOptional: true },
    { name: "metadata.boardApprovalDate", kind: "day", isOptional: true },
    { name: "metadata.documentIds", kind: "several", isOptional: true },
    { name: "isShown", kind: "check" },
  ];
  const record = { title: " A split ", summary: null, metadata: { documentIds: ["a", "b"] }, isShown: true };
  const values = valuesOf(fields, record);
  expect(faultsOf(fields, values)).toEqual({});
  const metadata = { boardApprovalDate: null, documentIds: ["a", "b"] };
  expect(wholeOf(fields, values)).toEqual({ title: "A split", summary: null, metadata, isShown: true });
  expect(wholeOf(fields, {})).toEqual({
    ...{ title: null, summary: null, isShown: false },
    metadata: { boardApprovalDate: null, documentIds: [] },
  });
  expect(faultsOf(fields, {})).toEqual({ title: COMMON.required });
  const own = fieldsOf(recordOf("stakeholder")?.groups ?? []);
  const wallet = own.filter(({ name }) => name === "walletAddress");
  expect(faultsOf(wallet, { walletAddress: "0x52908400098527886E0F7030069857D2E4169EE7" })).toEqual({});
  expect(faultsOf(wallet, { walletAddress: "0x5290" })).toEqual({ walletAddress: FIGURE_FAULTS.wallet });
  expect(recordChanges(wallet, { walletAddress: "0x5290" }, { walletAddress: " " })).toEqual({ walletAddress: null });
});

test("a text counts without the spaces around it, a code without any, and a password as it was typed", () => {
  const [text, code, password] = (["text", "code", "password"] as const).map((kind) => ({ name: kind, kind }));
  const read = [text, code, password].flatMap((spec) => (spec ? [textIn(spec, " 123 456 ")] : []));
  expect(read).toEqual(["123 456", "123456", " 123 456 "]);
  expect(plainFault({ name: "a", kind: "password" }, "  ")).toBeUndefined();
  expect(plainFault({ name: "a", kind: "code" }, "  ")).toBe(COMMON.required);
  expect(plainFault({ name: "a", kind: "text", missing: "Say who." }, " ")).toBe("Say who.");
  const email: FieldSpec = { name: "email", kind: "text", isEmail: true };
  expect([faultOf(email, " ada@example.com "), faultOf(email, "ada")]).toEqual([undefined, FIELD_FAULTS.email]);
});

test("what is asked for one way or another is one field at a time, and its request is typed by its fields", () => {
  const isHolder = ({ role }: Values) => role === "STAKEHOLDER";
  const holders = { name: "stakeholderIds", kind: "several" } as const;
  const fields = [
    { name: "role", kind: "choice", choices: ["STAKEHOLDER", "VIEWER"] },
    { ...holders, missing: "Choose one.", isShown: isHolder },
    { ...holders, isOptional: true, isShown: (values) => !isHolder(values) },
    { name: "note", kind: "long", isOptional: true },
    { name: "isNew", kind: "check" },
  ] as const satisfies readonly Spec[];
  const shown = (role: string) => shownOf<unknown, Spec>(fields, { role }, null);
  expect(shown("VIEWER")).toEqual([fields[0], fields[2], fields[3], fields[4]]);
  expect(faultsOf(shown("VIEWER"), { role: "VIEWER" })).toEqual({});
  expect(faultsOf(shown("STAKEHOLDER"), { role: "STAKEHOLDER" })).toEqual({ stakeholderIds: "Choose one." });
  const sent = { role: "VIEWER", stakeholderIds: [], note: null, isNew: false } satisfies BodyOf<typeof fields>;
  expect<object>(wholeOf(shown("VIEWER"), { role: "VIEWER" })).toEqual(sent);
  // @ts-expect-error a box is sent as yes or no
  ({ ...sent, isNew: "true" }) satisfies BodyOf<typeof fields>;
  // @ts-expect-error the API knows no such role
  ({ ...sent, role: "OWNER" }) satisfies BodyOf<typeof fields>;
  // @ts-expect-error a role is needed
  ({ ...sent, role: null }) satisfies BodyOf<typeof fields>;
});

test("a refusal of a field that is not seen stands above the form, and is not lost", () => {
  const errors = [
    { pointer: "#/stakeholderIds/0", detail: "must be a stakeholder" },
    { pointer: "#/expiresAt", detail: "must be later than 2026-01-31" },
  ];
  const refusal = { errors, detail: "The request is not valid." };
  const both = faultsIn(refusal, ["stakeholderIds", "expiresAt"]);
  expect(both).toEqual({
    faults: { stakeholderIds: "Must be a stakeholder.", expiresAt: "Must be later than Jan 31, 2026." },
    words: null,
  });
  const hidden = faultsIn(refusal, ["stakeholderIds"]);
  expect(hidden).toEqual({
    faults: { stakeholderIds: both.faults.stakeholderIds ?? "" },
    words: both.faults.expiresAt ?? "",
  });
  const whole = { errors: [], detail: "A member with this e-mail address exists already." };
  expect(faultsIn(whole, ["email"], { name: "email" })).toEqual({ faults: { email: whole.detail }, words: null });
  expect(faultsIn(whole, ["email"])).toEqual({ faults: {}, words: whole.detail });
});
