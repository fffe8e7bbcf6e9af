// The client of a captable server: its API typed by the OpenAPI document, lists, events, batches and webhooks.
import { type Api, apiOf } from "./api.ts";
import { Batch } from "./batch.ts";
import { type EventsOptions, eventsOf, type FeedEvent } from "./events.ts";
import { type Listed, type ListOptions, type ListPath, type ListQuery, listOf } from "./list.ts";
import { type Connection, Sender } from "./sender.ts";
import { type ChangeOf, type RecordOf, type UpdatedOf, updateBy } from "./update.ts";
import { verifyWebhook, type WebhookEvent, type WebhookHeaders } from "./webhook.ts";

/** A server, called with one key. */
export class Captable {
  /** The API by method and path: `api.GET("/api/v1/organization")`. Throws `ProblemError` and `ConnectionError`. */
  readonly api: Api;
  readonly #sender: Sender;

  /** Throws `TypeError` for what is no address or no key. Nothing is sent yet. */
  constructor(connection: Connection) {
    this.#sender = new Sender(connection);
    this.api = apiOf(this.#sender);
  }

  /** The records of a list one by one; its pages are read as they are taken. */
  list<P extends ListPath>(path: P, query?: ListQuery<P>, options?: ListOptions<P>): Listed<P> {
    return listOf(this.#sender, path, query, options);
  }

  /** What happens, without end: each event with the cursor behind it. */
  events(options: EventsOptions = {}): AsyncGenerator<FeedEvent, void, undefined> {
    return eventsOf(this.#sender, options);
  }

  /** Begins a batch: changes that are done together or not at all. */
  batch(): Batch {
    return new Batch(this.api);
  }

  /**
   * Changes a record: reads it, sends the change with `If-Match`, and begins again, up to three times, where another
   * change came between. `path` is the record's, as `/api/v1/stakeholders/0190…`; `change` the members, or a function
   * of the record as it is.
   */
  update<const T extends string>(
    path: T,
    change: ChangeOf<T> | ((current: RecordOf<T>) => ChangeOf<T>),
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<UpdatedOf<T>> {
    return updateBy(this.#sender, path, change, options.signal);
  }

  /** The event of a webhook's request: see the function `verifyWebhook`, which needs no server and no key. */
  verifyWebhook(body: Uint8Array | string, headers: WebhookHeaders, secrets: string | readonly string[]): WebhookEvent {
    return verifyWebhook(body, headers, secrets);
  }
}
