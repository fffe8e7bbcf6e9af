// Calls of the ledger's operations and of the records that forms make: one way for all, whatever the operation.
import { type Api, answer, write } from "../api/client.ts";
import type { components } from "../api/types.ts";

type Schemas = components["schemas"];

/** What an operation answers: which members there are depends on it, and on whether it was a dry run. */
export interface Told {
  readonly transactionId?: string | null;
  readonly transactionIds?: readonly string[];
  readonly securityId?: string | null;
  readonly newSecurityId?: string | null;
  readonly warnings: readonly Schemas["Warning"][];
  readonly effects?: readonly Schemas["Effect"][];
  /** Of an end of service: what it takes or stops, and what stays. */
  readonly cancelled?: readonly { readonly securityId: string }[];
  readonly stopped?: readonly { readonly securityId: string }[];
  readonly exercisable?: readonly { readonly securityId: string }[];
  /** Of a dry run that changes how a security vests. */
  readonly vesting?: NonNullable<Schemas["StartVestingDryRun"]["vesting"]>;
}

/** What was recorded, and whether that was before: an answer that is played again. */
export interface Recorded {
  readonly told: Told;
  readonly wasBefore: boolean;
}

/** A request's body: what fits an operation is its own document's to say. */
type Body = Readonly<Record<string, unknown>>;
/** Stands for the addresses of all operations: they are called alike. */
type AnyOperation = "/api/v1/transactions/cancel";

function post(api: Api, operation: string, body: Body, more: { signal?: AbortSignal; key?: string }) {
  const { signal, key } = more;
  return api.POST(`/api/v1/transactions/${operation}` as AnyOperation, {
    body: body as never,
    params: { header: key === undefined ? {} : { "Idempotency-Key": key } },
    ...(signal ? { signal } : {}),
  });
}

/** What an operation would do. Throws `ApiProblem` where it is refused. */
export async function tryOperation(api: Api, operation: string, body: Body, signal: AbortSignal): Promise<Told> {
  const { data } = await answer(post(api, operation, { ...body, dryRun: true }, { signal }));
  return data;
}

/** Records an operation, once under a key. */
export async function recordOperation(api: Api, operation: string, body: Body, key: string): Promise<Recorded> {
  const asked = post(api, operation, body, { key });
  const { data } = await write(asked);
  const { response } = await asked;
  return { told: data, wasBefore: response.headers.has("idempotent-replayed") };
}

/** The number of a ledger entry. */
export async function sequenceOf(api: Api, id: string): Promise<number> {
  const { data } = await answer(api.GET("/api/v1/transactions/{id}", { params: { path: { id } } }));
  return data.sequence;
}

/** Where records are that forms make: they are called alike. */
export type RecordPath = "stakeholders" | "share-classes" | "equity-plans" | "vesting-terms" | "valuations";
type AnyRecord = "/api/v1/stakeholders";

/** A record, whatever its kind. */
export type AnyMembers = Readonly<Record<string, unknown>> & { readonly id: string };

/** Makes a record, once under a key. */
export function createRecord(api: Api, path: RecordPath, body: Body, key: string): Promise<{ readonly id: string }> {
  const header = { "Idempotency-Key": key };
  return write(api.POST(`/api/v1/${path}` as AnyRecord, { body: body as never, params: { header } }));
}
