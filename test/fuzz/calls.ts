// Calls of any route: sensible ones, hostile ones, and pairs that differ in one id alone.
import type { Route } from "../../src/resources/route.ts";
import type { Sending } from "../kit/in-process.ts";
import type { Pick } from "../kit/random.ts";
import type { Answer } from "../kit/service.ts";
import { NAMES_RECORDS_OF } from "../matrix/expectations.ts";
import { CONTENT_TYPES, mutate, mutateQuery } from "../matrix/mutants.ts";
import { fill, nameOf, pathOf, ROUTES } from "../matrix/world.ts";
import { makeBody, makeQuery, takesBody } from "./bodies.ts";
import { type TestCompany, UNKNOWN } from "./company.ts";

/** A call and the route that it is of. */
export interface Call {
  readonly route: Route;
  readonly sending: Sending;
}

/** How a call is told in a message, so that it can be made by hand. */
export function tell({ route, sending }: Call): string {
  const body = typeof sending.body === "string" ? sending.body.slice(0, 400) : "";
  return `${nameOf(route)}: ${sending.method} ${sending.path.slice(0, 300)} ${body}`;
}

/** A call that mostly makes sense. */
export function sensibleCall(company: TestCompany, pick: Pick): Call {
  const route = ROUTES[pick(ROUTES.length)] as Route;
  return { route, sending: sendingOf(route, company, pick, false) };
}

/** A call with something wrong in its body, its query, or its headers; now and then nothing is. */
export function hostileCall(company: TestCompany, pick: Pick): Call {
  const route = ROUTES[pick(ROUTES.length)] as Route;
  return { route, sending: sendingOf(route, company, pick, pick(8) > 0) };
}

function sendingOf(route: Route, company: TestCompany, pick: Pick, isHostile: boolean): Sending {
  const path = fill(route, company.pathIds(route, pick));
  const headers: Record<string, string> = { authorization: `Bearer ${company.key}` };
  if (route.method === "GET") {
    const query = makeQuery(route, company, pick);
    const text = isHostile ? mutateQuery(query, Object.keys(route.query?.properties ?? {}), pick) : query.toString();
    return { method: "GET", path: text === "" ? path : `${path}?${text}`, headers };
  }
  if (route.method === "PUT") {
    headers["content-type"] = isHostile ? (CONTENT_TYPES[pick(CONTENT_TYPES.length)] ?? "") : "text/plain";
    return { method: "PUT", path, headers, body: "bytes".repeat(pick(3)) };
  }
  if (pick(4) === 0) headers["idempotency-key"] = `k${pick(100)}`;
  const { method } = route;
  if (!takesBody(route)) return { method, path, headers };
  const body = makeBody(route, company, pick);
  headers["content-type"] = "application/json";
  if (!isHostile) return { method, path, headers, body: JSON.stringify(body) };
  headers["content-type"] = CONTENT_TYPES[pick(CONTENT_TYPES.length)] ?? "";
  return { method, path, headers, body: mutate(route, body, pick) };
}

/** The same call twice, with an unknown id and with another organization's; null where it has no id in it. */
export function twinCalls(company: TestCompany, other: TestCompany, pick: Pick): readonly [Call, Call] | null {
  const { route, sending } = sensibleCall(company, pick);
  const places = placesOfIds(route, sending);
  const place = places[pick(Math.max(1, places.length))];
  if (!place) return null;
  const foreign = other.some(place.segment, pick);
  const withId = (id: string): Call => ({ route, sending: place.put(encodeURIComponent(id), id) });
  return [withId(UNKNOWN), withId(foreign)];
}

interface Place {
  readonly segment: string;
  put(encoded: string, id: string): Sending;
}

function placesOfIds(route: Route, sending: Sending): Place[] {
  const places: Place[] = [];
  const [bare = "", query] = sending.path.split("?");
  const steps = bare.split("/");
  pathOf(route)
    .split("/")
    .forEach((step, index) => {
      if (!step.startsWith("{")) return;
      const segment = step === "{stepId}" ? "steps" : (steps[1] ?? "");
      const put = (encoded: string) => {
        const path = steps.with(index, encoded).join("/");
        return { ...sending, path: query === undefined ? path : `${path}?${query}` };
      };
      places.push({ segment, put });
    });
  if (!takesBody(route) || typeof sending.body !== "string") return places;
  const body = JSON.parse(sending.body) as Record<string, unknown>;
  for (const name of Object.keys(route.body?.properties ?? {})) {
    const segment = NAMES_RECORDS_OF[name];
    if (!segment) continue;
    const put = (_: string, id: string) => {
      const value = name.endsWith("Ids") ? [id] : id;
      return { ...sending, body: JSON.stringify({ ...body, [name]: value }) };
    };
    places.push({ segment, put });
  }
  return places;
}

/** How two answers differ beyond the request's id; null when they do not. A call that was done says nothing. */
export function differenceOf(unknown: Answer, foreign: Answer): string | null {
  if (unknown.status < 400) return null;
  const [one, other] = [comparable(unknown), comparable(foreign)];
  return one === other ? null : `an unknown id: ${one}\n  a foreign id:  ${other}`;
}

function comparable({ status, headers, json }: Answer): string {
  const { instance: _instance, ...rest } = json;
  const kept = [...headers].filter(([name]) => name !== "x-request-id" && name !== "content-length");
  return JSON.stringify({ status, rest, kept });
}
