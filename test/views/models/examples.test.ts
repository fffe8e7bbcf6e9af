// The worked examples, through the whole program: each is set up by the ordinary routes, asked, and equal to the digit.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(60_000);

type Json = Readonly<Record<string, unknown>>;

interface Made {
  readonly ref: string;
  readonly route?: string;
  readonly body: Json;
}

interface Published {
  readonly at: string;
  readonly value: string;
  readonly tolerance: string;
  /** Whether the tolerance is a part of the value. */
  readonly relative?: boolean;
}

interface Case {
  readonly id: string;
  readonly title: string;
  readonly setup: Readonly<Record<string, readonly Made[]>>;
  readonly request: { readonly method: string; readonly path: string; readonly body?: Json; readonly query?: Json };
  readonly published?: readonly Published[];
  readonly expected: {
    readonly status: number;
    readonly data?: Json;
    readonly problem?: { readonly kind: string; readonly pointer?: string };
  };
}

const FILE = join(import.meta.dir, "../../fixtures/models/examples.json");
const CASES: readonly Case[] = JSON.parse(readFileSync(FILE, "utf8")).cases;
const PATHS: Readonly<Record<string, string>> = {
  shareClasses: "/share-classes",
  stakeholders: "/stakeholders",
  equityPlans: "/equity-plans",
  vestingTerms: "/vesting-terms",
  valuations: "/valuations",
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

/** An organization as a case has it, with the ids that its names stand for. */
async function setUp(example: Case) {
  const orgId = await server.newOrganization();
  const ids = new Map<string, string>();
  const resolved = (value: unknown): unknown => {
    if (typeof value === "string" && value.startsWith("$")) return ids.get(value.slice(1)) ?? value;
    if (Array.isArray(value)) return value.map(resolved);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolved(member)]));
  };
  for (const group of [...Object.keys(PATHS), "securities"]) {
    for (const { ref, route, body } of example.setup[group] ?? []) {
      const path = PATHS[group] ?? `/transactions/${route}`;
      const answer = await server.api("POST", path, resolved(body), { orgId });
      expect(`${ref} ${answer.status} ${answer.status < 300 ? "" : answer.text}`).toMatch(/ 20[01] $/);
      const made = answer.json.data ?? answer.json;
      ids.set(ref, made.securityId ?? made.id ?? made.transactionId);
    }
  }
  return { orgId, ids, resolved };
}

/** What of an answer a case expects: the same members, ids as the names that stand for them. */
function asExpected(expected: unknown, got: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof got === "string") return names.get(got) ?? got;
  if (Array.isArray(expected) && Array.isArray(got)) {
    return got.map((each, index) => (index < expected.length ? asExpected(expected[index], each, names) : each));
  }
  if (typeof expected !== "object" || expected === null || typeof got !== "object" || got === null) return got;
  const members = got as Json;
  return Object.fromEntries(
    Object.entries(expected).map(([name, value]) => [name, asExpected(value, members[name], names)]),
  );
}

/** The cases' plans have no day, and are made later than the days that are asked for: that is warned of besides. */
function withoutUndated(data: Json): Json {
  const warnings = data.warnings as readonly { readonly code: string }[] | undefined;
  return warnings ? { ...data, warnings: warnings.filter(({ code }) => code !== "plan-undated") } : data;
}

/** The member at a pointer; a step `name=value` picks the element of a list. */
function at(data: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((value, step) => {
      const [name, wanted] = step.split("=");
      if (wanted === undefined || name === undefined) return (value as Json)[step];
      return (value as readonly Json[]).find((each) => String(each[name]) === wanted);
    }, data);
}

describe("worked examples", () => {
  test.each(CASES.map((example) => [example.id, example] as const))("%s", async (_id, example) => {
    const { orgId, ids, resolved } = await setUp(example);
    const { method, path, body, query } = example.request;
    const search = query ? `?${new URLSearchParams(resolved(query) as Record<string, string>)}` : "";
    const sent = body === undefined ? undefined : resolved(body);
    const answer = await server.api(method, `${path.replace("/api/v1", "")}${search}`, sent, { orgId, role: "VIEWER" });
    const { status, data, problem } = example.expected;
    expect(`${answer.status} ${answer.status === status ? "" : answer.text}`).toBe(`${status} `);
    const names = new Map([...ids].map(([name, id]) => [id, name]));
    if (data) expect(asExpected(data, withoutUndated(answer.json.data), names)).toEqual(data);
    if (problem) {
      expect(answer.json.type).toEndWith(`/${problem.kind}`);
      if (problem.pointer)
        expect(answer.json.errors).toContainEqual(expect.objectContaining({ pointer: problem.pointer }));
    }
    for (const { at: pointer, value, tolerance, relative } of example.published ?? []) {
      const figure = Number(at(asExpected({ data }, answer.json, names), pointer));
      const most = Number(tolerance) * (relative ? Math.abs(Number(value)) : 1);
      // Floats: what is decimal in both is as far apart as it looks, but for their last bits.
      expect(Math.abs(figure - Number(value))).toBeLessThanOrEqual(most + Math.abs(figure) * 1e-14);
    }
  });
});
