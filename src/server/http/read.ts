// Reads: small ones at once, large ones in turn; every one from one snapshot.

import { findFaults } from "../../kernel/check.ts";
import { chargeEntries, type Limiters } from "../../kernel/rate-limit.ts";
import type { Runtime } from "../../kernel/runtime.ts";
import { ClientGone, type TurnAsker, type TurnLimits, Turns } from "../../kernel/threads/turns.ts";
import { findHead } from "../../ledger/store.ts";
import type { Caller } from "../../people/principal.ts";
import {
  type AskRoute,
  type FileReply,
  loading,
  type ReadElsewhere,
  type ReadRequest,
  type ReadRoute,
  type Reply,
} from "../../resources/route.ts";
import { makeReadTurns } from "../../storage/database/read-turn.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { invalid, toAnswer } from "../changes/answer.ts";
import { pointAt } from "../changes/local.ts";
import { requireTag, tagOf } from "../changes/tags.ts";
import type { Changes } from "../changes/task.ts";
import type { Admission } from "./admit.ts";
import { Exports } from "./answers/exports.ts";
import { RememberedAnswers } from "./answers/remembered-answers.ts";
import { Spools } from "./answers/spool.ts";
import { readJson } from "./body.ts";
import { readDemanded, readUnchanged } from "./conditions.ts";
import { EventStreams, type StreamLimits } from "./event-streams.ts";
import type { Exchange } from "./exchange.ts";
import { isList, pageErrors, readQuery } from "./query.ts";
import { READ_TURNS } from "./read-turns.ts";

/** What reads need. */
export interface ReadsParts extends Limiters {
  readonly reader: Reader;
  readonly runtime: Runtime;
  /** Records bulk exports in the log. */
  readonly changes: Changes;
  readonly bodyBytesMax: number;
  /** How many long reads may run at once and how long others wait, instead of the usual. */
  readonly turns?: Partial<TurnLimits>;
  /** Does long reads in other threads, if the service has them; a ledger is long from this number of entries on. */
  readonly elsewhere?:
    | { readonly reads: ReadElsewhere; readonly reports: ReadElsewhere; readonly fromEntries: number }
    | undefined;
  /** How many streams of events there may be, instead of the usual. */
  readonly streamLimits?: Partial<StreamLimits> | undefined;
  /** The folder for large files until they are sent, instead of the machine's folder for temporary ones. */
  readonly spoolFolder?: string | undefined;
}

const PLAIN = "text/plain; charset=utf-8";

/** A short read, for the stakeholders that the person then is. */
type Work = (nowMs: number, stakeholderIds: readonly string[], role: Caller["role"]) => Reply | Promise<Reply>;

/** A read that no request of an organization asks for. */
export interface ReadAsked {
  readonly asker: TurnAsker;
  readonly route: ReadRoute;
  readonly signal: AbortSignal;
}

/** Answers reads. */
export class Reads {
  readonly #parts: ReadsParts;
  readonly #admission: Admission;
  readonly #answers = new RememberedAnswers();
  readonly #turns: Turns;
  readonly #spools: Spools;
  readonly #exports: Exports;
  readonly #openTurn: () => void;
  /** Streams of events. */
  readonly streams: EventStreams;

  constructor(parts: ReadsParts, admission: Admission) {
    this.#parts = parts;
    this.#admission = admission;
    this.#turns = new Turns({ ...READ_TURNS, ...parts.turns });
    this.#spools = new Spools(parts.spoolFolder);
    this.#exports = new Exports(parts);
    this.#openTurn = makeReadTurns(parts.reader, () => {
      admission.forgetReaders();
      this.#answers.forget();
    });
    const { reader, streamLimits: limits } = parts;
    this.streams = new EventStreams({ reader, admission, openTurn: this.#openTurn, limits });
  }

  /** Opens the snapshot of this turn of the event loop: to be called before a reader's key is looked at. */
  openTurn(): void {
    this.#openTurn();
  }

  /** Answers a read: at once, because a promise would cost as much as the record; in turn where much is read. */
  read(route: ReadRoute, exchange: Exchange): Response | Promise<Response> {
    const { request, params, caller, visit } = exchange;
    const { orgId, stakeholderIds } = caller;
    const { url } = request;
    const { value: isUnchanged, error } = readUnchanged(request.headers);
    const known = this.#answers.find(orgId, url);
    if (known && !error) return visit.answerRead(known, isUnchanged);
    const { query, errors: faultsOfQuery } = readQuery(route.query, url);
    const errors = error ? [...faultsOfQuery, error] : faultsOfQuery;
    const taskOf = (nowMs: number, ids: readonly string[], role: Caller["role"]) => ({
      orgId,
      params,
      query,
      nowMs,
      stakeholderIds: ids,
      role,
    });
    const read = (nowMs: number, ids = stakeholderIds, role = caller.role) =>
      route.run(this.#parts.reader, taskOf(nowMs, ids, role));
    if (errors.length > 0) {
      const isLoading = isList(route) ? loading(route.run) : null;
      if (isLoading) return this.#readLoaded(isLoading, route, exchange);
      throw invalid([...errors, ...(isList(route) ? pageErrors(() => read(visit.startedMs)) : [])]);
    }
    if (route.live && request.method === "GET") {
      return visit.live(this.streams.open(route.live, route, exchange, query));
    }
    const { elsewhere, reader } = this.#parts;
    const entries = route.expense === undefined ? null : findHead(reader, orgId).sequence;
    const isLong = entries !== null && elsewhere !== undefined && entries >= elsewhere.fromEntries;
    const expense = route.expense?.(query) ?? (isLong ? "much" : null);
    const isReport = expense === "report";
    const isElsewhere = isReport || (expense !== null && (isLong || route.isComputed === true));
    const threads = isElsewhere ? elsewhere?.[isReport ? "reports" : "reads"] : undefined;
    const isLoading = threads === undefined ? loading(route.run) : null;
    if (isLoading) return this.#readLoaded(isLoading, route, exchange);
    if (expense !== null) {
      visit.allowance = chargeEntries(this.#parts, caller, visit.startedMs, entries ?? 0);
      const { operationId } = route;
      // A client that leaves ends the thread of a report, and of no other read: those keep the state that they have
      // folded.
      const signal = isReport ? request.signal : undefined;
      const work: Work = threads ? (...now) => threads.read({ operationId, ...taskOf(...now) }, signal) : read;
      return this.#readInTurn(askerOf(caller, isReport), { route, exchange }, work);
    }
    const reply = read(visit.startedMs);
    if (reply.file) return route.exports ? this.#export(route, exchange, reply.file) : visit.send(reply.file);
    if (reply.plain !== undefined) return visit.show({ status: 200, contentType: PLAIN, body: reply.plain });
    const answer = toAnswer(reply);
    if (reply.text === undefined || reply.isOfMoment === true) return visit.answerRead(answer, isUnchanged);
    const kept = { ...answer, tag: tagOf(answer) };
    this.#answers.keep(orgId, url, kept);
    return visit.answerRead(kept, isUnchanged);
  }

  /** Answers a read once what runs it is loaded: of the state that is then, if key or session still count. */
  async #readLoaded(isLoading: Promise<void>, route: ReadRoute, exchange: Exchange): Promise<Response> {
    try {
      await isLoading;
      this.#openTurn();
      this.#admission.admitAgain(route, exchange.request);
      return await this.read(route, exchange);
    } catch (thrown) {
      return exchange.visit.refuse(thrown);
    }
  }

  /** Answers a read that is asked for with a body: in turn, and in another thread if there is one. */
  async ask(route: AskRoute, exchange: Exchange): Promise<Response> {
    const { request, params, caller, visit } = exchange;
    const { orgId } = caller;
    const { bodyBytesMax: bytesMax, elsewhere, reader } = this.#parts;
    const entries = findHead(reader, orgId).sequence;
    const body = (await readJson(request, { bytesMax })) as Readonly<Record<string, unknown>>;
    const { ifMatch: demanded, errors: faultsOfTags } = readDemanded(route, request.headers);
    const errors = [
      ...readQuery(undefined, request.url).errors,
      ...faultsOfTags,
      ...findFaults(route.body, body).map(pointAt),
    ];
    if (errors.length > 0) throw invalid(errors);
    const { record } = route;
    if (record && demanded !== undefined) await loading(record.run);
    requireTag(reader, { record, demanded, orgId, params, nowMs: visit.startedMs });
    visit.allowance = chargeEntries(this.#parts, caller, visit.startedMs, entries);
    if (elsewhere === undefined) await loading(route.ask);
    const { operationId } = route;
    const taskOf = (nowMs: number, stakeholderIds: readonly string[], role: Caller["role"]) => {
      return { orgId, params, query: {}, body, nowMs, stakeholderIds, role };
    };
    const work: Work = elsewhere
      ? (...now) => elsewhere.reads.read({ operationId, ...taskOf(...now) })
      : (...now) => route.ask(reader, taskOf(...now));
    return this.#readInTurn(askerOf(caller, false), { route, exchange }, work);
  }

  /** Does a read in turn, of what `admit` gives when it is its turn. Rejects with what `admit` or the route throws. */
  async readFor({ asker, route, signal }: ReadAsked, admit: () => Omit<ReadRequest, "nowMs">): Promise<Reply> {
    const { elsewhere, reader, runtime } = this.#parts;
    const end = await this.#turns.take(asker, signal);
    try {
      this.#openTurn();
      const isLong = elsewhere !== undefined && findHead(reader, asker.orgId).sequence >= elsewhere.fromEntries;
      if (!isLong) await loading(route.run);
      this.#openTurn();
      const request = { ...admit(), nowMs: runtime.nowMs() };
      if (!isLong) return route.run(reader, request);
      return await elsewhere.reads.read({ operationId: route.operationId, ...request });
    } finally {
      end();
    }
  }

  /**
   * Asks, when it is its turn, what a change of a long ledger needs, as of then. Null for a short ledger, and where
   * there is no other thread.
   */
  planFor(
    { operationId }: AskRoute,
    { request, caller, visit }: Exchange,
    body: unknown,
  ): (() => Promise<unknown>) | null {
    const { elsewhere, reader } = this.#parts;
    const { orgId } = caller;
    const entries = findHead(reader, orgId).sequence;
    if (elsewhere === undefined || entries < elsewhere.fromEntries) return null;
    visit.allowance = chargeEntries(this.#parts, caller, visit.startedMs, entries);
    return async () => {
      const end = await this.#turns.take(askerOf(caller, false), request.signal);
      try {
        const nowMs = this.#parts.runtime.nowMs();
        const { bytes } = await elsewhere.reads.read({ operationId, orgId, body, nowMs, params: {}, query: {} });
        return JSON.parse(new TextDecoder().decode(bytes));
      } finally {
        end();
      }
    };
  }

  /** Does a long read, when it is its turn: as of then, and if key or session still count. */
  async #readInTurn(
    asker: TurnAsker,
    { route, exchange }: { readonly route: ReadRoute | AskRoute; readonly exchange: Exchange },
    read: Work,
  ): Promise<Response> {
    const { request, visit } = exchange;
    const { signal } = request;
    try {
      const end = await this.#turns.take(asker, signal);
      let made: FileReply;
      try {
        this.#openTurn();
        const nowMs = this.#parts.runtime.nowMs();
        const { stakeholderIds, role } = this.#admission.admitAgain(route, request);
        const { file, ...reply } = await read(nowMs, stakeholderIds, role);
        if (reply.plain !== undefined) return visit.show({ status: 200, contentType: PLAIN, body: reply.plain });
        if (!file) {
          const answer = toAnswer(reply);
          return route.method === "GET"
            ? visit.answerRead(answer, readUnchanged(request.headers).value)
            : visit.answer(answer);
        }
        const { content } = file;
        made =
          content instanceof Uint8Array
            ? file
            : { ...file, ...(await this.#spools.hold(asker.orgId, content, signal)) };
      } finally {
        end();
      }
      return route.method === "GET" ? await this.#export(route, exchange, made) : visit.send(made);
    } catch (thrown) {
      return thrown instanceof ClientGone || signal.aborted ? visit.abandon() : visit.refuse(thrown);
    }
  }

  /** Sends a file, once the log records it if it holds many records. */
  async #export(route: ReadRoute, exchange: Exchange, file: FileReply): Promise<Response> {
    const { request, visit } = exchange;
    const trouble = await this.#exports.record(route, exchange, file);
    if (!request.signal.aborted) return visit.send(file, trouble);
    if (file.content instanceof ReadableStream) await file.content.cancel();
    return visit.abandon();
  }
}

/** A person is one caller, in any number of sessions. */
function askerOf({ orgId, accountId, id }: Caller, isReport: boolean): TurnAsker {
  return { orgId, callerId: accountId ?? id, isReport };
}
