// Requests about accounts and sessions, once admitted: body → schema → handler → answer, with the cookie that it sets.

import { present } from "../../kernel/assert.ts";
import { findFaults } from "../../kernel/check.ts";
import type { AccessReply, AccessRequest, AccessRoute, Desk } from "../../people/access-route.ts";
import type { Visitor } from "../../people/call.ts";
import type { Session } from "../../people/principal.ts";
import { cookieOf } from "../../people/sign-in/cookie.ts";
import type { PathParams } from "../../resources/route.ts";
import { invalid, toAnswer } from "../changes/answer.ts";
import { pointAt } from "../changes/local.ts";
import type { Admission, Arrival } from "./admit.ts";
import { readJson } from "./body.ts";
import { pathOf } from "./host.ts";
import { NO_QUERY, readQuery } from "./query.ts";

const USER_AGENT_MAX = 200;
const PLAIN = "text/plain; charset=utf-8";

/** What routes of people need. */
export interface PeopleParts {
  readonly admission: Admission;
  readonly desk: Desk;
  readonly bodyBytesMax: number;
}

/** Serves routes of people. */
export class People {
  readonly #parts: PeopleParts;

  constructor(parts: PeopleParts) {
    this.#parts = parts;
  }

  /** Answers one request. Throws the `Problem` that refuses it. */
  async answer(route: AccessRoute, arrival: Arrival, params: PathParams): Promise<Response> {
    const { desk } = this.#parts;
    const { request, visit } = arrival;
    const address = arrival.address();
    const session = this.#parts.admission.admitPerson(route, arrival);
    const body = route.body ? await this.#readBody(route, request) : {};
    const search = request.url.slice(`${request.url}?`.indexOf("?"));
    const { query, errors } = route.isFromElsewhere ? NO_QUERY : readQuery(route.query, request.url);
    const faults = [...errors, ...(route.body ? findFaults(route.body, body).map(pointAt) : [])];
    if (faults.length > 0) throw invalid(faults);
    const visitor = visitorOf(arrival, address);
    const nowMs = desk.runtime.nowMs();
    const asked = { params, query, search, body, headers: request.headers, visitor, address, nowMs };
    const reply = await run(route, desk, { ...asked, session });
    if (reply.plain !== undefined) return visit.show({ status: 200, contentType: PLAIN, body: reply.plain });
    const { headers = {}, cause } = reply;
    const more = reply.isEnd === true ? { ...headers, "clear-site-data": '"cache", "storage"' } : headers;
    const cookies = cookiesOf(reply, desk.publicUrl());
    return visit.answer(toAnswer(reply as AccessReply & { status: 200 }), more, { cause, cookies });
  }

  #readBody(route: AccessRoute, request: Request): Promise<unknown> {
    const { bodyBytesMax: bytesMax } = this.#parts;
    return readJson(request, { bytesMax, isOptional: route.isBodyOptional === true });
  }
}

function run(
  route: AccessRoute,
  desk: Desk,
  request: AccessRequest<unknown, Session | null>,
): AccessReply | Promise<AccessReply> {
  if (route.who === "ANYBODY") return route.run(desk, request);
  return route.run(desk, { ...request, session: present(request.session, "the session") });
}

function visitorOf({ request, visit }: Arrival, address: string): Visitor {
  const userAgent = request.headers.get("user-agent")?.toWellFormed().slice(0, USER_AGENT_MAX) ?? null;
  const { requestId } = visit;
  return { requestId, method: request.method, path: pathOf(request.url), address, userAgent };
}

/** The cookies that an answer sets or clears. */
function cookiesOf({ token, device = null, isEnd }: AccessReply, publicUrl: string): readonly string[] {
  if (token === undefined && isEnd !== true) return [];
  const { name, attributes } = present(cookieOf(publicUrl), "a cookie for a person who signed in");
  if (token === undefined) return [`${name}=; Max-Age=0; ${attributes}`];
  const session = `${name}=${token}; ${attributes}`;
  return device === null ? [session] : [session, device];
}
