// The tables of webhooks as Kysely sees them.
import type { Generated } from "kysely";
import type { Bit, Json } from "../../records/columns.ts";

export interface WebhookEndpointsTable {
  readonly seq: Generated<number>;
  readonly orgId: string;
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly types: Generated<Json>;
  readonly include: Generated<"ids" | "record">;
  readonly checkpoints: Generated<Bit>;
  readonly status: Generated<"ENABLED" | "DISABLED">;
  readonly disabledReason: "REQUESTED" | "MAKER_REMOVED" | "GONE" | "FAILING" | null;
  /** The secret's number: with the id it decides the secret (resources/webhook-endpoints/webhook-key.ts). */
  readonly secretVersion: number;
  /** The beginning of a digest of the key that it follows from. */
  readonly keyFingerprint: string;
  /** Until when the secret before this one signs, too. */
  readonly previousSecretUntil: string | null;
  readonly madeBy: Json;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly removedAt: string | null;
  /** The place in the feed behind the last event that was delivered, or passed by. */
  readonly cursor: Generated<string>;
  /** Counts changes by people, so that the follow thread never overwrites one by what it knew before. */
  readonly revision: Generated<number>;
  /** Failures in a row. */
  readonly failures: Generated<number>;
  readonly lastSuccessAt: string | null;
  /** The first failure in a row. */
  readonly failingSince: string | null;
  readonly nextAttemptAt: string | null;
  readonly lastError: string | null;
}

export interface WebhookDeliveriesTable {
  readonly seq: Generated<number>;
  readonly orgId: string;
  readonly endpointId: string;
  readonly id: string;
  readonly createdAt: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly kind: "ORDERED" | "TEST" | "REDELIVERY" | "CHECKPOINT";
  readonly attempt: Generated<number>;
  readonly state: "PENDING" | "SUCCEEDED" | "FAILED";
  readonly startedAt: string | null;
  readonly durationMs: number | null;
  readonly responseStatus: number | null;
  readonly error: string | null;
  /** The place in the feed behind its event; null for what is no event of the feed. */
  readonly cursor: string | null;
}

export interface InstanceEndpointsTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly createdAt: string;
  readonly url: string;
  readonly status: Generated<"ENABLED" | "DISABLED">;
  readonly disabledReason: "GONE" | "FAILING" | null;
  /** The last event of the instance that was delivered. */
  readonly place: number;
  /** The secret's number: with the id it decides the secret (resources/webhook-endpoints/webhook-key.ts). */
  readonly secretVersion: number;
  /** The beginning of a digest of the key that it follows from. */
  readonly keyFingerprint: string;
  /** Failures in a row. */
  readonly failures: Generated<number>;
  readonly lastSuccessAt: string | null;
  /** The first failure in a row. */
  readonly failingSince: string | null;
  readonly nextAttemptAt: string | null;
  readonly lastError: string | null;
}

export interface InstanceEventsTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly at: string;
  readonly type: string;
  readonly data: Json;
}

/** Every table of webhooks by name. */
export interface WebhookTables {
  readonly webhook_endpoints: WebhookEndpointsTable;
  readonly webhook_deliveries: WebhookDeliveriesTable;
  readonly instance_endpoints: InstanceEndpointsTable;
  readonly instance_events: InstanceEventsTable;
}
