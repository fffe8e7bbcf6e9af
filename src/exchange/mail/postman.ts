// Sends what is queued: looks for due mails, composes and sends them, and notes what became of each.

import { toTimestamp, toUtcDate } from "../../kernel/runtime.ts";
import { BackgroundLoop } from "../../kernel/threads/background-loop.ts";
import {
  countSentSince,
  findMail,
  findMailSince,
  findMailUrl,
  listDueMails,
  type Mail,
} from "../../people/stores/mail-store.ts";
import { listOrganizations } from "../../resources/organization/store.ts";
import { findSetting } from "../../storage/database/settings.ts";
import type { FollowGround, Following } from "../../storage/follow/follower.ts";
import { instanceEventTask } from "../../storage/follow/instance-events.ts";
import { MAILS_FIGURE } from "../../storage/follow/mail-figure.ts";
import type { DatedItem } from "../../views/dates/dates.ts";
import { compose } from "./compose.ts";
import { mailsToOperators, troublesOf } from "./instance-watch.ts";
import { mailsOfDay, nearDates } from "./near-dates.ts";
import { readNotices } from "./notices.ts";
import { MailSender } from "./sender.ts";
import { mailServerOf } from "./settings.ts";
import { pruneMailsTask, queueMailsTask, resolveRecoveryTask, type Settled, settleMailTask } from "./tasks.ts";
import { endOf, waitAfter } from "./waits.ts";

const LOOK_MS = 250;
const AFTER_TROUBLE_MS = 10_000;
const REST_MS = 200;
const AT_ONCE = 40;
const HOUR_MS = 3_600_000;
/** How many mails an organization sends in an hour; the rest waits. */
const AN_HOUR_MAX = 500;
const MINUTE_MS = 60_000;
const NOTED_EVERY_MS = 10_000;
/** The hour from which on the dates of a day are told, and the setting that says of which day they were. */
const DATES_HOUR = "06";
const DATES_DAY = "mailDates";
const KEPT_MS = 90 * 24 * HOUR_MS;

/** Sends mail while it is on. */
export class Postman implements Following {
  readonly #ground: FollowGround;
  readonly #loop = new BackgroundLoop(() => this.#round());
  readonly #sender: MailSender | null;
  #prunedMs = 0;
  #isWoken = true;
  #watchedMs = 0;
  #failingToldMs = 0;
  /** How far the log was read, and when that was noted. */
  #readTo = 0;
  #notedMs = 0;
  readonly #figures: Record<string, number> = {};
  /** The dates of the organization whose mails are composed. */
  #dates: { readonly of: string; readonly items: readonly DatedItem[] } | null = null;

  constructor(ground: FollowGround) {
    this.#ground = ground;
    const server = mailServerOf(ground.settings);
    this.#sender = server && new MailSender(server);
    this.#loop.start();
  }

  wake(): void {
    this.#isWoken = true;
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    this.#sender?.close();
  }

  async #round(): Promise<number> {
    try {
      return await this.#work();
    } catch (error) {
      this.#ground.trouble("mail could not be sent", error);
      return AFTER_TROUBLE_MS;
    }
  }

  async #work(): Promise<number> {
    const { db, runtime } = this.#ground;
    const now = toTimestamp(runtime.nowMs());
    const due = listDueMails(db, { at: now, limit: AT_ONCE });
    const url = findMailUrl(db);
    if (due.length > 0 && url !== null) {
      await this.#ground.rest(REST_MS);
      await Promise.all(due.map((mail) => this.#deliver(mail, url)));
      return 0;
    }
    if (url !== null && (await this.#notice())) return 0;
    await this.#watch();
    await this.#prune();
    return LOOK_MS;
  }

  /**
   * Queues what the log tells; whether there was something to queue. The place is noted with it, and else now and then:
   * what is read twice is queued once.
   */
  async #notice(): Promise<boolean> {
    if (!this.#isWoken) return false;
    this.#isWoken = false;
    const { db, runtime, write } = this.#ground;
    const nowMs = runtime.nowMs();
    const noticed = readNotices(db, findMailSince(db), nowMs, this.#readTo);
    if (noticed === null) return false;
    const { mails, place, upTo, hasMore } = noticed;
    this.#readTo = upTo;
    this.#isWoken ||= hasMore;
    if (mails.length === 0 && nowMs - this.#notedMs < NOTED_EVERY_MS) return hasMore;
    this.#notedMs = nowMs;
    await write(queueMailsTask, { mails, place });
    return mails.length > 0 || hasMore;
  }

  /** Once a minute: queues the day's dates from 06:00 UTC on, and what is wrong with the instance. */
  async #watch(): Promise<void> {
    const { db, runtime, settings, write } = this.#ground;
    const nowMs = runtime.nowMs();
    if (nowMs - this.#watchedMs < MINUTE_MS) return;
    this.#watchedMs = nowMs;
    const day = toUtcDate(nowMs);
    const troubles = troublesOf(db, settings, { nowMs, beganMs: Date.parse(findMailSince(db)) });
    const mails = mailsToOperators(db, troubles, day);
    if (mails.length > 0) await write(queueMailsTask, { mails, place: null });
    if (toTimestamp(nowMs).slice(11, 13) < DATES_HOUR || findSetting(db, DATES_DAY) === day) return;
    // Where mail was turned on later in the day, as in restored data, the next day is the first.
    const isOnSince = findMailSince(db) < `${day}T${DATES_HOUR}`;
    for (const { id, state } of isOnSince ? listOrganizations(db) : []) {
      if (state === "CLOSED") continue;
      await this.#ground.rest(REST_MS);
      const mailsOfOne = mailsOfDay(db, id, day);
      if (mailsOfOne.length > 0) await write(queueMailsTask, { mails: mailsOfOne, place: null });
    }
    await write(queueMailsTask, { mails: [], place: { name: DATES_DAY, value: day } });
  }

  #datesOf(orgId: string, day: string): readonly DatedItem[] {
    const of = `${orgId} ${day}`;
    if (this.#dates?.of !== of) this.#dates = { of, items: nearDates(this.#ground.db, orgId, day) };
    return this.#dates.items;
  }

  async #deliver(queued: Mail, url: string): Promise<void> {
    const settled = await this.#try(queued, url);
    await this.#ground.write(settleMailTask, settled);
    if (settled.state === "QUEUED") return;
    if (settled.state === "FAILED") await this.#tellFailing(queued, settled);
    const name = `${MAILS_FIGURE} ${queued.kind} ${settled.state}`;
    this.#figures[name] = (this.#figures[name] ?? 0) + 1;
    this.#ground.tellFigures({ [name]: this.#figures[name] });
  }

  /** Tells the operator's endpoints, once an hour. */
  async #tellFailing({ kind }: Mail, { error }: Settled): Promise<void> {
    const { runtime, write } = this.#ground;
    if (runtime.nowMs() - this.#failingToldMs < HOUR_MS) return;
    this.#failingToldMs = runtime.nowMs();
    await write(instanceEventTask, { type: "mail.failing", data: { kind, error } });
  }

  async #try(queued: Mail, url: string): Promise<Settled> {
    const { db, runtime, write } = this.#ground;
    const { id } = queued;
    const nowMs = runtime.nowMs();
    const settle = (state: Mail["state"], error: string | null, tries: 0 | 1): Settled => {
      return { id, state, error, nextAttemptAt: null, tries };
    };
    if (queued.kind === "recovery" && queued.accountId === null) await write(resolveRecoveryTask, { id });
    const mail = findMail(db, { id }) ?? queued;
    if (mail.state !== "QUEUED") return settle(mail.state, mail.error, 0);
    if (endOf(mail) <= nowMs) return settle("FAILED", mail.error ?? "too late", 0);
    if (this.#isTooMany(mail, nowMs)) {
      return { ...settle("QUEUED", mail.error, 0), nextAttemptAt: toTimestamp(nowMs + waitAfter(2)) };
    }
    const dates = (orgId: string, day: string) => this.#datesOf(orgId, day);
    const composed = compose(mail, { db, url, now: toTimestamp(nowMs), dates });
    if (composed === null || this.#sender === null) return settle("DROPPED", null, 0);
    const refusal = await this.#sender.send(composed);
    if (refusal === null) return settle("SENT", null, 1);
    const nextMs = runtime.nowMs() + waitAfter(mail.attempts + 1);
    if (refusal.isFinal || nextMs >= endOf(mail)) return settle("FAILED", refusal.error, 1);
    return { ...settle("QUEUED", refusal.error, 1), nextAttemptAt: toTimestamp(nextMs) };
  }

  #isTooMany({ orgId }: Mail, nowMs: number): boolean {
    if (orgId === null) return false;
    const since = toTimestamp(nowMs - HOUR_MS);
    return Number(countSentSince(this.#ground.db, { orgId, since })) >= AN_HOUR_MAX;
  }

  async #prune(): Promise<void> {
    const nowMs = this.#ground.runtime.nowMs();
    if (nowMs - this.#prunedMs < HOUR_MS) return;
    this.#prunedMs = nowMs;
    await this.#ground.write(pruneMailsTask, { before: toTimestamp(nowMs - KEPT_MS) });
  }
}
