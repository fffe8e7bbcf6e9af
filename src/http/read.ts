// Reads: at once where they are small, in turn where they are large; every one as of one snapshot.

import { invalid, toAnswer } from "../changes/answer.ts";
import { pointAt } from "../changes/local.ts";
import { makeReadTurns } from "../database/read-turn.ts";
import type { Reader } from "../database/sql.ts";
import { findFaults } from "../kernel/check.ts";
import type { Runtime } from "../kernel/runtime.ts";
import { findHead } from "../ledger/store.ts";
import type { AskRoute, ReadElsewhere, ReadRoute, Reply } from "../route.ts";
import type { Admission } from "./admit.ts";
import { readJson } from "./body.ts";
import type { Exchange } from "./exchange.ts";
import { isList, pageErrors, readQuery } from "./query.ts";
import { RememberedAnswers } from "./remembered.ts";
import { Spools } from "./spool.ts";
import { type Asker, ClientGone, type TurnLimits, Turns } from "./turns.ts";

/** What reads are made of. */
export interface ReadsParts {
  readonly reader: Reader;
  readonly runtime: Runtime;
  readonly bodyBytesMax: number;
  /** How many may read much at once and how long others wait, instead of the usual. */
  readonly turns?: Partial<TurnLimits>;
  /** Does what takes long, where there is somebody to; a ledger is long from so many entries on. */
  readonly elsewhere?: { readonly reads: ReadElsewhere; readonly fromEntries: number } | undefined;
}

const PLAIN = "text/plain; charset=utf-8";

/** A read of a moment. */
type Work = (nowMs: number) => Reply | Promise<Reply>;

/** Answers reads. */
export class Reads {
  readonly #parts: ReadsParts;
  readonly #admission: Admission;
  readonly #answers = new RememberedAnswers();
  readonly #turns: Turns;
  readonly #spools = new Spools();
  readonly #openTurn: () => void;

  constructor(parts: ReadsParts, admission: Admission) {
    this.#parts = parts;
    this.#admission = admission;
    this.#turns = new Turns(parts.turns);
    this.#openTurn = makeReadTurns(parts.reader, () => {
      admission.forgetReadKeys();
      this.#answers.forget();
    });
  }

  /** Opens the snapshot of this turn of the event loop: to be called before a reader's key is looked at. */
  openTurn(): void {
    this.#openTurn();
  }

  /** Answers a read: at once, because a promise would cost as much as the record; in turn where much is read. */
  read(route: ReadRoute, exchange: Exchange): Response | Promise<Response> {
    const { request, params, caller, visit } = exchange;
    const { orgId } = caller;
    const { url } = request;
    const known = this.#answers.find(orgId, url);
    if (known) return visit.answer(known);
    const { query, errors } = readQuery(route.query, url);
    const read = (nowMs: number) => route.run(this.#parts.reader, { orgId, params, query, nowMs });
    if (errors.length > 0)
      throw invalid([...errors, ...(isList(route) ? pageErrors(() => read(visit.startedMs)) : [])]);
    const isLong = route.expense !== undefined && this.#isLong(orgId);
    const expense = route.expense?.(query) ?? (isLong ? "much" : null);
    if (expense !== null) {
      const task = (nowMs: number) => ({ operationId: route.operationId, orgId, params, query, nowMs });
      const { reads } = this.#parts.elsewhere ?? {};
      const work = (isLong || route.isComputed) && reads ? (nowMs: number) => reads.read(task(nowMs)) : read;
      return this.#readInTurn({ ...caller, expense }, exchange, work);
    }
    const reply = read(visit.startedMs);
    if (reply.file) return visit.send(reply.file);
    if (reply.plain !== undefined) return visit.show({ status: 200, contentType: PLAIN, body: reply.plain });
    const answer = toAnswer(reply);
    if (reply.text !== undefined && reply.isOfMoment !== true) this.#answers.keep(orgId, url, answer);
    return visit.answer(answer);
  }

  /** Answers a read that is asked with a body: in turn, and elsewhere where there is somebody to. */
  async ask(route: AskRoute, exchange: Exchange): Promise<Response> {
    const { request, params, caller } = exchange;
    const { orgId } = caller;
    const { bodyBytesMax: bytesMax, elsewhere, reader } = this.#parts;
    const body = (await readJson(request, { bytesMax })) as Readonly<Record<string, unknown>>;
    const errors = [...readQuery(undefined, request.url).errors, ...findFaults(route.body, body).map(pointAt)];
    if (errors.length > 0) throw invalid(errors);
    const asked = { orgId, params, query: {}, body };
    const work = (nowMs: number) =>
      elsewhere
        ? elsewhere.reads.read({ ...asked, operationId: route.operationId, nowMs })
        : route.ask(reader, { ...asked, nowMs });
    return this.#readInTurn({ ...caller, expense: "much" }, exchange, work);
  }

  /** Whether what goes through an organization's whole ledger would keep others waiting. */
  #isLong(orgId: string): boolean {
    const { elsewhere, reader } = this.#parts;
    return elsewhere !== undefined && findHead(reader, orgId).sequence >= elsewhere.fromEntries;
  }

  /** Reads much, when it is this one's turn: as of then, and if the key still counts. */
  async #readInTurn(asker: Asker, { request, visit }: Exchange, read: Work): Promise<Response> {
    const { signal } = request;
    try {
      const end = await this.#turns.take(asker, signal);
      try {
        this.#openTurn();
        const nowMs = this.#parts.runtime.nowMs();
        this.#admission.admitAgain(request, nowMs);
        const { file, ...reply } = await read(nowMs);
        if (!file) return visit.answer(toAnswer(reply));
        if (file.content instanceof Uint8Array) return visit.send(file);
        return visit.send({ ...file, content: await this.#spools.hold(asker.orgId, file.content, signal) });
      } finally {
        end();
      }
    } catch (thrown) {
      return thrown instanceof ClientGone ? visit.abandon() : visit.refuse(thrown);
    }
  }
}
