// Every body × every member: at its limit it is accepted, one beyond it is `422` at that member. What is expected is in
// limits.ts, by hand; the schemas only say which members there are.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import type { WriteRoute } from "../../src/resources/route.ts";
import { ExampleBook } from "../../src/server/http/openapi/example.ts";
import { type Answer, startTestServer, type TestServer } from "../kit/service.ts";
import { boundsOf, DEFAULTED, isPositive, longest, PATCH_ONLY, REQUIRED } from "./limits.ts";
import { fill, makeRecords, nameOf, pathIds, pathOf, type Records, ROUTES, withHolder } from "./world.ts";

type Json = Record<string, unknown>;
interface Member {
  /** The members above and this one; `0` for an element of an array. */
  readonly path: readonly string[];
  readonly schema: TSchema;
}

let server: TestServer;
let records: Records;

beforeAll(async () => {
  server = await startTestServer();
  records = await makeRecords(server, server.orgId);
  server = await withHolder(server, records.stakeholders);
});
afterAll(() => server.stop());

const BODY_ROUTES = ROUTES.filter((route): route is WriteRoute => route.method !== "GET" && route.body !== undefined);
const examples = new ExampleBook(ROUTES);

/** Every member of a body, at whatever depth. Free objects and imports have no members of their own. */
function membersOf(schema: TSchema, path: readonly string[] = []): Member[] {
  const plain = bare(schema);
  if (plain.type === "array") return membersOf(plain.items as TSchema, [...path, "0"]);
  const members = Object.entries((plain.properties ?? {}) as Record<string, TSchema>);
  if (members.length === 0) return path.length === 0 ? [] : [{ path, schema: plain }];
  return members.flatMap(([name, member]) => membersOf(member, [...path, name]));
}

/** The schema without "or null". */
function bare(schema: TSchema): TSchema {
  return Array.isArray(schema.anyOf) ? (schema.anyOf[0] as TSchema) : schema;
}

/** The route's example with `value` at `path`, and whatever has to stand around it. */
function bodyWith(route: WriteRoute, path: readonly string[], value: unknown): Json {
  const start = route.method === "PATCH" ? {} : structuredClone((examples.body(route) ?? {}) as Json);
  let place: Json = start;
  let schema: TSchema = route.body as TSchema;
  for (const [depth, name] of path.entries()) {
    const inner = bare(name === "0" && schema.type === "array" ? schema.items : schema.properties[name]);
    const isLast = depth === path.length - 1;
    if (isLast) place[name] = value;
    else place[name] ??= inner.type === "array" ? [] : (examples.answer(inner) as Json);
    place = place[name] as Json;
    schema = inner;
  }
  return start;
}

function send(route: WriteRoute, body: unknown): Promise<Answer> {
  return server.api(route.method, fill(route, pathIds(route, records)), body);
}

/** What an answer finds wrong at a member; undefined when nothing. */
function faultAt(answer: Answer, path: readonly string[]): string | undefined {
  const pointer = `#/${path.join("/")}`;
  return answer.json.errors?.find((error: Json) => error.pointer === pointer)?.detail;
}

/** Whatever the schema checks say of a value that breaks a limit; the rules of the cap table say other things. */
const A_LIMIT = /characters|decimal string|more than zero|calendar date|must be an integer|at (least|most) \d/;

async function refused(route: WriteRoute, { path }: Member, values: readonly unknown[]): Promise<void> {
  for (const value of values) {
    const answer = await send(route, bodyWith(route, path, value));
    const seen = {
      path,
      value: shorten(value),
      status: answer.status,
      isPointedAt: faultAt(answer, path) !== undefined,
    };
    expect(seen).toEqual({ path, value: shorten(value), status: 422, isPointedAt: true });
  }
}

/** The same word in the other case: capitals become small letters, and a word of small letters capitals. */
function otherCase(word: string): string {
  return word === word.toLowerCase() ? word.toUpperCase() : word.toLowerCase();
}

async function accepted(route: WriteRoute, { path }: Member, values: readonly unknown[]): Promise<void> {
  for (const value of values) {
    const answer = await send(route, bodyWith(route, path, value));
    expect({ path, value: shorten(value), fault: faultAt(answer, path) ?? "" }).toEqual({
      path,
      value: shorten(value),
      fault: expect.not.stringMatching(A_LIMIT),
    });
    expect(answer.status).toBeLessThan(500);
  }
}

function shorten(value: unknown): unknown {
  return typeof value === "string" && value.length > 30 ? `${value.slice(0, 20)}… (${value.length})` : value;
}

/** A text of `length` code points that the member could hold. */
function textOf(name: string, schema: TSchema, length: number): string {
  if (name === "email" || name === "pendingEmail") {
    const labels = [63, 63, length - 64 - 1 - 63 - 1 - 63 - 1].map((count) => "b".repeat(count)).join(".");
    return `${"a".repeat(64)}@${labels}`;
  }
  if (name === "md5") return "a".repeat(length);
  if (name === "uri") return `https://example.com/${"a".repeat(length - 20)}`;
  if (schema.pattern !== undefined || name === "walletAddress") return "x".repeat(length);
  return "😀".repeat(length);
}

const DECIMALS_BEYOND = [
  "1000000000000000",
  "0.00000000001",
  "-1",
  "+1",
  "1e3",
  "1.",
  ".5",
  " 1",
  "1,5",
  "",
  5,
  true,
  [],
];
const DATES = ["2023-02-29", "2024-1-1", "20240101", "", 20240101, {}];
const DATES_BEYOND = ["2024-02-30", "2024-01-01T00:00:00Z", ...DATES];

async function tryMember(route: WriteRoute, member: Member): Promise<void> {
  const { schema } = member;
  const segment = pathOf(route).split("/")[1] ?? "";
  const name = member.path.findLast((part) => part !== "0") ?? "";
  if (schema.enum) return refused(route, member, ["no such word", otherCase(String(schema.enum[0])), "", 1]);
  if (schema.format === "date") {
    await accepted(route, member, ["2024-02-29", "1999-12-31"]);
    return refused(route, member, DATES_BEYOND);
  }
  if (schema.format === "date-time") {
    await accepted(route, member, ["9000-01-01T00:00:00Z", "9000-01-01t00:00:00.5+14:00"]);
    // What expires does so in the future; what was known, or is sought, at any time.
    const past = ["knownAt", "since"].includes(name) ? [] : ["2000-01-01T00:00:00Z"];
    return refused(route, member, [...past, "9000-01-01T00:00:00", "9000-02-30T00:00:00Z", ...DATES]);
  }
  if (schema.type === "boolean") return refused(route, member, ["true", 1, 0, ""]);
  if (schema.type === "integer") {
    await accepted(route, member, [schema.minimum]);
    return refused(route, member, [schema.minimum - 1, 1.5, "1", 2 ** 53, true]);
  }
  if (schema.type === "number") return refused(route, member, ["1", -1, true, []]);
  if (schema.type === "object") return refused(route, member, ["{}", 1, []]);
  if (schema.examples?.[0] === "1500" || schema.pattern?.includes("{1,15}")) {
    const zero = isPositive(segment, member.path) ? [] : ["0", "0.0"];
    const { within, beyond } = boundsOf(segment, member.path);
    await accepted(route, member, [...within, ...zero]);
    return refused(route, member, [...DECIMALS_BEYOND, ...beyond, ...(zero.length > 0 ? [] : ["0", "0.0000000000"])]);
  }
  return tryText(route, member, name, longest(segment, name));
}

async function tryText(route: WriteRoute, member: Member, name: string, limit: number | undefined): Promise<void> {
  const isPattern = member.schema.pattern !== undefined && limit === undefined;
  if (isPattern) return refused(route, member, ["no such thing", "us", 1]);
  expect({ path: member.path, limit }).toEqual({ path: member.path, limit: expect.any(Number) });
  if (name !== "walletAddress") await accepted(route, member, [textOf(name, member.schema, limit as number)]);
  const beyond = textOf(name, member.schema, (limit as number) + 1);
  return refused(route, member, [beyond, "a\u0000b", "a\ud800b", 1, false, {}, []]);
}

/** Whether the body is of changes to a record: members that are left out stay. */
function takesChanges(route: WriteRoute): boolean {
  return route.method === "PATCH" || route.path.endsWith("/preview");
}

describe("every member at its limit and one beyond", () => {
  for (const route of BODY_ROUTES) {
    test(nameOf(route), async () => {
      for (const member of membersOf(route.body as TSchema)) await tryMember(route, member);
    });
  }
});

describe("what is required is asked for, and all of it at once", () => {
  for (const route of BODY_ROUTES) {
    test(nameOf(route), async () => {
      const required = takesChanges(route) ? [] : REQUIRED[pathOf(route)];
      expect(required).toBeDefined();
      const answer = await send(route, {});
      const pointers = (answer.json.errors ?? []).map((error: Json) => error.pointer);
      const missing = pointers.filter((_: string, index: number) => answer.json.errors[index].detail === "is required");
      expect(missing.sort()).toEqual((required ?? []).map((name) => `#/${name}`).sort());
    });
  }
});

describe("null: refused for what is required or has a default, as if not given for the rest", () => {
  for (const route of BODY_ROUTES) {
    test(nameOf(route), async () => {
      const collection = pathOf(route).replace(takesChanges(route) ? /\/\{[a-zA-Z]+\}(\/preview)?$/ : "", "");
      const refusing = [...(REQUIRED[collection] ?? []), ...(DEFAULTED[collection] ?? []), ...PATCH_ONLY, "dryRun"];
      for (const name of Object.keys(route.body?.properties ?? {})) {
        if (DEPENDS_ON_THE_RECORD[nameOf(route)]?.includes(name)) continue;
        const fault = faultAt(await send(route, bodyWith(route, [name], null)), [name]);
        const isRefused = fault !== undefined;
        const expected = refusing.includes(name) || (REFUSED_FOR_OTHER_REASONS[nameOf(route)] ?? []).includes(name);
        expect({ name, isRefused }).toEqual({ name, isRefused: expected });
      }
    });
  }
});

/** Where null is refused because of what the record is or what else the body says. */
const REFUSED_FOR_OTHER_REASONS: Readonly<Record<string, readonly string[]>> = {
  // The organization has no create body; its one required member is this.
  "PATCH /organization": ["legalName"],
  // A decision cannot be cleared, and a comment goes with a decision.
  "PATCH /approvals/{id}/steps/{stepId}": ["status", "comment"],
  // Exactly one of `path` and `uri`: the example has a path.
  "POST /documents": ["path"],
  // The security is stock, and stock has a class.
  "POST /securities": ["stockClassId"],
  "PATCH /securities/{id}": ["stockClassId"],
  // Required where no `convertibleTerms` say it: the example has none.
  "POST /transactions/issue-convertible": ["convertibleType"],
  // Exactly one of `exitValues` and `range`: the example has values.
  "POST /models/waterfall": ["exitValues"],
};

/** Null is refused for whichever of the two the document has. */
const DEPENDS_ON_THE_RECORD: Readonly<Record<string, readonly string[]>> = { "PATCH /documents/{id}": ["path", "uri"] };

/** Whether it is text and no figure. */
function isWord({ type, examples: shown }: TSchema): boolean {
  return type === "string" && shown?.[0] !== "1500";
}

describe("a list of ids or words does not name the same twice", () => {
  for (const route of BODY_ROUTES) {
    const lists = Object.entries(route.body?.properties ?? {}).filter(
      ([, member]) => bare(member).type === "array" && isWord(bare((bare(member).items ?? {}) as TSchema)),
    );
    if (lists.length === 0) continue;
    test(`${nameOf(route)}: ${lists.map(([name]) => name).join(", ")}`, async () => {
      for (const [name, member] of lists) {
        const item = examples.answer(bare(member).items as TSchema);
        expect(faultAt(await send(route, bodyWith(route, [name], [item, item])), [name])).toContain("twice");
      }
    });
  }
});
