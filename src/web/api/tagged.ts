// Records that are changed as they were read: the tag of the answer goes with the change, which is refused where the record
// is another one meanwhile.
import { type Api, answer, write } from "./client.ts";

/** A record, and the tag of the answer that it was read in. */
export interface Tagged<R> {
  readonly record: R;
  readonly tag: string;
}

/** Proxies that compress make tags weak, or add to them. */
const DIGITS = /[0-9a-f]{16}/;

/** Stands for the addresses of all records: they are called alike. */
type AnyAddress = "/api/v1/organization";

/** Reads a record by its address. */
export async function readTagged<R>(api: Api, address: string, signal: AbortSignal): Promise<Tagged<R>> {
  const asked = api.GET(address as AnyAddress, { signal });
  const found = await answer(asked);
  const { response } = await asked;
  return { record: bare<R>(found), tag: `"${DIGITS.exec(response.headers.get("etag") ?? "") ?? ""}"` };
}

/** Changes members of a record. Throws `ApiProblem`: `412` where it has another tag by now. */
export async function changeTagged<R>(api: Api, address: string, body: object, tag: string): Promise<R> {
  const asked = { body: body as never, headers: demanding(tag) };
  return bare<R>(await write(api.PATCH(address as AnyAddress, asked)));
}

/** The header by which a change demands a tag. */
export function demanding(tag: string): { readonly "If-Match": string } {
  return { "If-Match": tag };
}

/** Some answers have their record in `data`. */
function bare<R>(answered: object): R {
  return ("data" in answered ? answered.data : answered) as R;
}
