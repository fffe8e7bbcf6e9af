// Bodies and queries that mostly make sense, grown from a route's schema and from what a company has.
import type { TSchema } from "@sinclair/typebox";
import type { ReadRoute, Route, SeriesRoute, WriteRoute } from "../../src/resources/route.ts";
import { ExampleBook } from "../../src/server/http/openapi/example.ts";
import type { Pick } from "../kit/random.ts";
import { NAMES_RECORDS_OF } from "../matrix/expectations.ts";
import { nameOf, ROUTES } from "../matrix/world.ts";
import type { KnownSecurity, TestCompany } from "./company.ts";

type Body = Record<string, unknown>;

const DECIMALS = ["1", "10", "100", "0.5", "33.3333333333", "0.0000000001", "250000", "0", "999999999999999"];
const DATES = ["2024-02-29", "2025-01-15", "2025-12-31", "2026-06-15", "2026-07-01", "2031-01-01"];
const INSTANTS = ["2026-06-15T09:00:00Z", "2026-01-01T00:00:00.000+02:00"];
const TEXTS = ["Ada", "Élodie 😀", "x", "50% of A_B", 'He said "no"', "month", "Restricted\u202e"];
const CONDITIONS = ["month", "a", "b", "c"];

const examples = new ExampleBook(ROUTES);

function one<T>(list: readonly T[], pick: Pick): T {
  return list[pick(list.length)] as T;
}

/** A body for a route: its example, or one grown from its schema, with ids that a company has. */
export function makeBody(route: WriteRoute | SeriesRoute, company: TestCompany, pick: Pick): unknown {
  if (!route.body) return undefined;
  const grown = grow(route.body, "", company, pick) as Body;
  const isGrown = route.method === "PATCH" ? pick(5) > 0 : pick(3) === 0;
  const body = isGrown ? grown : { ...(examples.body(route) as Body) };
  for (const name of Object.keys(body)) {
    const segment = NAMES_RECORDS_OF[name];
    if (segment && body[name] !== null)
      body[name] = name.endsWith("Ids") ? idsOf(segment, company, pick) : company.some(segment, pick);
  }
  if (!isGrown) for (const [name, value] of Object.entries(grown)) if (pick(4) === 0) body[name] ??= value;
  if ("certificateId" in body && pick(20) > 0) body.certificateId = `F-${++company.certificates}`;
  if ("dryRun" in body && pick(3) > 0) delete body.dryRun;
  fitSecurity(nameOf(route), body, company, pick);
  return body;
}

/** Makes what is said of a security true of it, mostly. */
function fitSecurity(name: string, body: Body, company: TestCompany, pick: Pick): void {
  if (typeof body.securityId !== "string" || pick(10) === 0) return;
  const suits = SUITS[name] ?? (() => true);
  const open = company.securities.filter((security) => security.status === "ACTIVE" && suits(security));
  const chosen = one(open, pick);
  if (chosen === undefined) return;
  body.securityId = chosen.id;
  if ("fromStakeholderId" in body) {
    body.fromStakeholderId = chosen.stakeholderId;
    body.toStakeholderId = (company.ids.get("stakeholders") ?? []).find((id) => id !== chosen.stakeholderId);
  }
  if (name.endsWith("/convert")) {
    body.stockClassId = (company.ids.get("share-classes") ?? []).find((id) => id !== chosen.stockClassId);
  }
  if ("exercisePrice" in body) body.exercisePrice = chosen.exercisePrice ?? "0.5";
  if ("quantity" in body) body.quantity = pick(4) === 0 ? chosen.quantity : one(["1", "5", "0.5", "10"], pick);
  if ("conditionId" in body) body.conditionId = one(["month", "sale"], pick);
  if (!name.endsWith("record-vesting-event")) return;
  delete body.conditionId;
  delete body.quantity;
  if (pick(2) === 0) body.quantity = one(["1", "5", chosen.quantity], pick);
  else body.conditionId = "sale";
}

const SUITS: Readonly<Record<string, (security: KnownSecurity) => boolean>> = {
  "POST /transactions/exercise": ({ type }) => type === "STOCK_OPTION" || type === "WARRANT",
  "POST /transactions/convert": ({ type }) => type === "STOCK" || type === "CONVERTIBLE",
  "POST /transactions/repurchase": ({ type }) => type === "STOCK",
  "POST /transactions/start-vesting": ({ vestingTermsId }) => vestingTermsId !== null,
  "POST /transactions/accelerate-vesting": ({ vestingTermsId }) => vestingTermsId !== null,
  "POST /transactions/record-vesting-event": ({ vestingTermsId }) => vestingTermsId !== null,
};

function idsOf(segment: string, company: TestCompany, pick: Pick): string[] {
  return [...new Set(Array.from({ length: pick(3) }, () => company.some(segment, pick)))];
}

function grow(schema: TSchema, name: string, company: TestCompany, pick: Pick): unknown {
  const { anyOf, type, properties, items } = schema;
  if (Array.isArray(anyOf)) return pick(6) === 0 ? null : grow(anyOf[0] as TSchema, name, company, pick);
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return one(schema.enum, pick);
  if (type === "object") return growObject(properties, new Set(schema.required), company, pick);
  if (type === "array") {
    const segment = NAMES_RECORDS_OF[name];
    if (segment) return idsOf(segment, company, pick);
    return Array.from({ length: pick(4) }, () => grow(items as TSchema, name, company, pick));
  }
  if (type === "boolean") return pick(2) === 0;
  if (type === "integer" || type === "number") return Number(schema.minimum ?? 0) + pick(13);
  return growText(schema, name, company, pick);
}

function growObject(properties: unknown, required: ReadonlySet<string>, company: TestCompany, pick: Pick): Body {
  const members = Object.entries((properties ?? {}) as Record<string, TSchema>);
  if (members.length === 0) return one<Body>([{}, { a: 1, b: ["x", null] }, { ключ: { deep: [[true]] } }], pick);
  const chosen = members.filter(([name]) => required.has(name) || pick(3) === 0);
  return Object.fromEntries(chosen.map(([name, member]) => [name, grow(member, name, company, pick)]));
}

function growText(schema: TSchema, name: string, company: TestCompany, pick: Pick): string {
  const segment = NAMES_RECORDS_OF[name];
  if (segment) return company.some(segment, pick);
  if (schema.format === "date") return one(DATES, pick);
  if (schema.format === "date-time") return one(INSTANTS, pick);
  if (schema.format === "email") return one(["ada@example.com", "o'neil@example.co.uk"], pick);
  if (name === "id" || /onditionId$/.test(name)) return one(CONDITIONS, pick);
  if (name === "certificateId") return `F-${pick(500)}`;
  const [example] = (schema.examples as unknown[] | undefined) ?? [];
  if (schema.pattern !== undefined && String(schema.pattern).includes("{1,15}")) return one(DECIMALS, pick);
  if (schema.pattern !== undefined && typeof example === "string") return example;
  return one(TEXTS, pick);
}

/** A query for a reading route, as it goes behind the `?`. */
export function makeQuery(route: ReadRoute, company: TestCompany, pick: Pick): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, schema] of Object.entries((route.query?.properties ?? {}) as Record<string, TSchema>)) {
    if (pick(3) > 0) continue;
    if (name === "limit") query.set(name, one(["1", "2", "25", "100", "0", "-3", "1000"], pick));
    else if (name === "cursor") query.set(name, one(company.cursors, pick) ?? "none");
    else if (name === "include") query.set(name, one(["issuer", "transactions,stakeholders", ""], pick));
    else query.set(name, String(grow(schema, name, company, pick)));
  }
  return query;
}

/** Whether the route takes a JSON body. */
export function takesBody(route: Route): route is WriteRoute | SeriesRoute {
  return route.method !== "GET" && route.method !== "PUT" && route.body !== undefined;
}
