// Sends what is queued: looks for due mails, composes and sends them, and notes what became of each.

import { toTimestamp } from "../../kernel/runtime.ts";
import { BackgroundLoop } from "../../kernel/threads/background-loop.ts";
import { countSentSince, findMail, findMailUrl, listDueMails, type Mail } from "../../people/stores/mail-store.ts";
import type { FollowGround, Following } from "../../storage/follow/follower.ts";
import { compose } from "./compose.ts";
import { MailSender } from "./sender.ts";
import { mailServerOf } from "./settings.ts";
import { pruneMailsTask, resolveRecoveryTask, type Settled, settleMailTask } from "./tasks.ts";
import { endOf, waitAfter } from "./waits.ts";

const LOOK_MS = 250;
const AFTER_TROUBLE_MS = 10_000;
const REST_MS = 200;
const AT_ONCE = 40;
const HOUR_MS = 3_600_000;
/** How many mails an organization sends in an hour; the rest waits. */
const AN_HOUR_MAX = 500;
const KEPT_MS = 90 * 24 * HOUR_MS;

/** Sends mail while it is on. */
export class Postman implements Following {
  readonly #ground: FollowGround;
  readonly #loop = new BackgroundLoop(() => this.#round());
  readonly #sender: MailSender | null;
  #prunedMs = 0;
  #isWoken = false;

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
    this.#isWoken = false;
    const due = listDueMails(db, { at: now, limit: AT_ONCE });
    const url = findMailUrl(db);
    if (due.length > 0 && url !== null) {
      await this.#ground.rest(REST_MS);
      await Promise.all(due.map((mail) => this.#deliver(mail, url)));
      return 0;
    }
    await this.#prune();
    return this.#isWoken ? 0 : LOOK_MS;
  }

  async #deliver(queued: Mail, url: string): Promise<void> {
    const settled = await this.#try(queued, url);
    await this.#ground.write(settleMailTask, settled);
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
    const composed = compose(mail, { db, url, now: toTimestamp(nowMs) });
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
