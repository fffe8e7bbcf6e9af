// A reader of the feed that goes on as things happen: the text of a stream of events (`text/event-stream`).
import type { Reader } from "../../storage/database/sql.ts";
import type { LiveMoment, LiveReader } from "../route.ts";
import { cursorAt, type Place } from "./cursor.ts";
import { type FeedPage, type Reading, readFeed } from "./feed.ts";

const EVENTS_AT_ONCE = 100;
/** How many pieces of one look are kept: a stream that comes from far behind reads a whole history in it. */
const PIECES_KEPT = 16;

/** A page, and its text. */
type Piece = Pick<FeedPage, "place" | "hasMore"> & { readonly text: string };

/** What was read in one look, by what was asked for: streams at one place share it. */
const shared = new WeakMap<object, Map<string, Piece>>();

/** What a stream asks for; `types` as the request names them. */
type Asked = Pick<Reading, "orgId" | "isAsked"> & { readonly from: Place; readonly types: string };

/** Reads the feed for one stream. */
export class LiveFeed implements LiveReader {
  readonly #asked: Asked;
  #place: Place;

  constructor(asked: Asked) {
    this.#asked = asked;
    this.#place = asked.from;
  }

  next(db: Reader, moment: LiveMoment): Piece {
    const piece = this.#piece(db, moment);
    this.#place = piece.place;
    return piece;
  }

  heartbeat(db: Reader): string {
    return `id: ${cursorAt(db, this.#asked.orgId, this.#place)}\n\n`;
  }

  #piece(db: Reader, { look, role }: LiveMoment): Piece {
    const { orgId, isAsked, types } = this.#asked;
    const isAdmin = role === "ADMIN";
    const { ledger, log } = this.#place;
    const pieces = shared.get(look) ?? new Map<string, Piece>();
    shared.set(look, pieces);
    const name = `${orgId} ${ledger} ${log} ${isAdmin} ${types}`;
    const known = pieces.get(name);
    if (known) return known;
    const page = readFeed(db, { orgId, from: this.#place, isAsked, isAdmin, limit: EVENTS_AT_ONCE });
    const { events, cursors, place, hasMore } = page;
    const texts = events.map((event, at) => `id: ${cursors[at]}\ndata: ${JSON.stringify(event)}\n\n`);
    const piece = { text: texts.join(""), place, hasMore };
    pieces.set(name, piece);
    const [oldest = name] = pieces.keys();
    if (pieces.size > PIECES_KEPT) pieces.delete(oldest);
    return piece;
  }
}
