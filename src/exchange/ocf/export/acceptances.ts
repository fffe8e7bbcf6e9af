// Acceptances that were recorded here, among the transactions of an export: each behind what issues its security, and
// before what ends it. The ledger has no entry of them, so each is placed by its day, and on one day by how long the
// ledger was then.
import { acceptanceOf } from "../codec/ending.ts";
import type { JsonObject } from "../json.ts";
import type { Walked } from "./day-walk.ts";
import { later } from "./holdings.ts";
import type { KnownAcceptance } from "./store.ts";
import type { OcfWriter } from "./writer.ts";

/** The acceptances that are yet to be written. */
export class AcceptanceExport {
  readonly #writer: OcfWriter;
  /** By day. */
  readonly #queue: KnownAcceptance[];
  #at = 0;
  /** Of each security, those that are not written. */
  readonly #open = new Map<string, KnownAcceptance[]>();

  constructor(writer: OcfWriter, acceptances: readonly KnownAcceptance[]) {
    this.#writer = writer;
    this.#queue = acceptances.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
    for (const each of this.#queue) {
      const known = this.#open.get(each.securityId);
      if (known) known.push(each);
      else this.#open.set(each.securityId, [each]);
    }
  }

  /** Those that come before an entry, which is applied and not yet written. */
  before({ entry, event, day, state, recordedAs }: Walked): readonly Placed[] {
    const made = event.said.newSecurityId ?? (event.kind === "issued" ? entry.securityId : null);
    const due: Placed[] = [];
    // Days go by for all securities, for a split ends many of them in OCF.
    for (; (this.#queue[this.#at]?.day ?? day) < day; this.#at++) {
      const each = this.#queue[this.#at];
      if (each && each.securityId !== made && state.securities.has(each.securityId))
        due.push({ of: each, day: each.day });
    }
    const id = entry.securityId;
    if (id !== null && id !== made) {
      const isEnd = state.securities.get(id)?.status !== "ACTIVE";
      const isBefore = (each: KnownAcceptance) =>
        each.day < day || (each.day === day && each.ledgerSequence < recordedAs);
      for (const each of this.#open.get(id) ?? []) {
        if (isEnd || isBefore(each)) due.push({ of: each, day: each.day < day ? each.day : day });
      }
    }
    return [...new Map(due.map((each) => [each.of, each])).values()];
  }

  /** Those that no entry comes after. */
  rest(): readonly Placed[] {
    return this.#queue.filter((each) => this.#isOpen(each)).map((of) => ({ of, day: of.day }));
  }

  #isOpen(each: KnownAcceptance): boolean {
    return this.#open.get(each.securityId)?.includes(each) ?? false;
  }

  /** The object of one, under the id that its security has in OCF now; none where it is written. */
  *written({ of, day }: Placed): Generator<JsonObject> {
    if (!this.#isOpen(of)) return;
    const row = this.#writer.source.findSecurity(of.securityId);
    if (row === null) return;
    const left = this.#open.get(of.securityId)?.filter((each) => each !== of) ?? [];
    this.#open.set(of.securityId, left);
    const { openId, since } = this.#writer.holdings.of(row.id, row.grantDate);
    const date = later(day, since);
    const moved = date === of.day ? null : `Dated ${of.day} here.`;
    yield acceptanceOf({
      ...{ id: of.id, date, securityId: openId, type: row.type },
      comments: [wordsOf(of), of.comments, moved],
    });
  }
}

/** An acceptance, and the last day that it may have. */
export interface Placed {
  readonly of: KnownAcceptance;
  readonly day: string;
}

function wordsOf({ kind, digest }: KnownAcceptance): string {
  if (kind === "PAPER") return "Accepted on paper.";
  return `Accepted in the portal. SHA-256 of what was shown: ${digest}`;
}
