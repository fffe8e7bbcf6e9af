// Worked cases in steps, through the whole program: each in an organization of its own, and equal to the digit.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(60_000);

type Json = Readonly<Record<string, unknown>>;

interface Step {
  readonly call: string;
  readonly body?: Json;
  readonly as?: string;
  readonly status?: number;
  readonly expect?: Json;
  readonly problem?: { readonly slug: string; readonly pointer?: string };
}

interface Case {
  readonly id: string;
  readonly steps: readonly Step[];
}

const FILE = join(import.meta.dir, "../../fixtures/models/corrections.json");
const CASES: readonly Case[] = JSON.parse(readFileSync(FILE, "utf8")).cases;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

/** A value with the ids that its names stand for, in texts and paths too. */
function resolved(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return value.replace(/\$(\w+)/g, (text, name) => ids.get(name) ?? text);
  if (Array.isArray(value)) return value.map((each) => resolved(each, ids));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolved(member, ids)]));
}

/** The member at a path; a step `name=value` picks the element of a list, `length` counts one. */
function at(data: unknown, path: string): unknown {
  return path.split("/").reduce<unknown>((value, step) => {
    if (value === undefined || value === null) return value;
    if (Array.isArray(value) && step.includes("=")) {
      const [name = "", wanted] = step.split("=");
      return value.find((each: Json) => String(each[name]) === wanted);
    }
    return (value as Json)[step];
  }, data);
}

async function run({ steps }: Case): Promise<void> {
  const orgId = await server.newOrganization();
  const ids = new Map<string, string>();
  for (const { call, body, as, status, expect: expected, problem } of steps) {
    const [method = "", path = ""] = call.split(" ");
    const sent = body === undefined ? undefined : resolved(body, ids);
    const answer = await server.api(method, String(resolved(path, ids)), sent, { orgId });
    const isRight = status === undefined ? answer.status === 200 || answer.status === 201 : answer.status === status;
    expect(`${call} ${isRight ? "" : `${answer.status} ${answer.text}`}`).toBe(`${call} `);
    if (problem) {
      expect(answer.json.type).toEndWith(`/${problem.slug}`);
      const { pointer } = problem;
      if (pointer) expect(answer.json.errors).toContainEqual(expect.objectContaining({ pointer }));
    }
    if (as) {
      const made = answer.json.data ?? answer.json;
      ids.set(as, made.securityId ?? made.newSecurityId ?? made.id ?? made.transactionId);
    }
    for (const [where, wanted] of Object.entries(expected ?? {})) {
      const place = String(resolved(where, ids));
      expect([place, at(answer.json, place)]).toEqual([place, resolved(wanted, ids)]);
    }
  }
}

describe("worked cases in steps", () => {
  test.each(CASES.map((example) => [example.id, example] as const))("%s", (_id, example) => run(example));
});
