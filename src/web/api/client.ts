// API client, typed by the OpenAPI document: `answer(api.GET("/api/v1/organization"))`. Reads give their answer or
// throw; writes also tell the query cache that something has changed.
import createClient, { type Client } from "openapi-fetch";
import { isStale, readProblem } from "./problem.ts";
import { PartRequest, sendPart } from "./reading.ts";
import { changed } from "./remembered.ts";
import type { components, paths } from "./types.ts";

/** The API as an organization's pages, or a person's, call it. */
export type Api = Client<paths>;
/** The API's record types: `Schemas["Stakeholder"]`. */
export type Schemas = components["schemas"];

/** For what asks by itself: it does not keep a session alive. */
export const BACKGROUND = { "Captable-Background": "1" } as const;

function clientWith(headers: Readonly<Record<string, string>>): Api {
  return createClient<paths>({ baseUrl: location.origin, fetch: sendPart, Request: PartRequest, headers });
}

/** The API without an organization: signing in, the account. */
export const personApi: Api = clientWith({});

const clients = new Map<string, Api>();

/** The API of one organization; two tabs may have two. */
export function apiOf(orgId: string): Api {
  const known = clients.get(orgId);
  if (known) return known;
  const made = clientWith({ "Captable-Organization": orgId });
  clients.set(orgId, made);
  return made;
}

interface Answered<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** What was answered. Throws `ApiProblem` where it is a refusal. */
export async function answer<T>(asked: Promise<Answered<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await asked;
  if (error !== undefined || !response.ok) throw await problemOf(error, response);
  return data as NonNullable<T>;
}

/** The same for a write; afterwards what is shown is read again, also where it is refused for being old. */
export async function write<T>(asked: Promise<Answered<T>>): Promise<NonNullable<T>> {
  try {
    const data = await answer(asked);
    changed();
    return data;
  } catch (error) {
    if (isStale(error)) changed();
    throw error;
  }
}

/** openapi-fetch has read the body already. */
function problemOf(error: unknown, { status, headers }: Response) {
  return readProblem(new Response(JSON.stringify(error ?? {}), { status, headers }));
}
