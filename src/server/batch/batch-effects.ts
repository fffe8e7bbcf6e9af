// What the operations of a batch would change, for its dry run: each member, as the API names it.
import { type Effect, jsonOf, type PathParams, type Reply, type WriteRoute } from "../../resources/route.ts";
import { nounOfSegment } from "../../resources/segments.ts";
import { answeredMembers } from "./references.ts";

type Members = Readonly<Record<string, unknown>>;

/** Members that say nothing of what a record is. */
const BESIDE: ReadonlySet<string> = new Set(["id", "orgId", "createdAt", "updatedAt", "warnings"]);

/** The kind of record that an address names: `/api/v1/share-classes/:id` is of a `share-class`. */
function nounOf(path: string): string {
  const segment = path.split("/").findLast((each) => !each.startsWith(":")) ?? "";
  return nounOfSegment(segment);
}

/** Looks at the record of an operation, before and after it is carried out. */
export class RecordEffects {
  readonly #route: WriteRoute;
  readonly #id: string | null;
  readonly #read: () => Reply;
  readonly #before: Members;

  /** `read` answers the route's record. */
  constructor(route: WriteRoute, params: PathParams, read: () => Reply) {
    this.#route = route;
    this.#id = route.record ? (params.stepId ?? params.id ?? null) : null;
    this.#read = read;
    this.#before = route.record ? answeredMembers(jsonOf(read())) : {};
  }

  /** What the operation has changed. */
  after(reply: Reply): readonly Effect[] {
    if (reply.effects) return reply.effects();
    const { path, method, record } = this.#route;
    if (reply.status === 201) return differences(nounOf(path), null, {}, answeredMembers(jsonOf(reply)));
    if (!record) return [];
    const now = method === "DELETE" && record.path === path ? {} : answeredMembers(jsonOf(this.#read()));
    return differences(nounOf(record.path), this.#id, this.#before, now);
  }
}

function differences(resourceType: string, id: string | null, before: Members, after: Members): Effect[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const effects: Effect[] = [];
  for (const field of names) {
    const [was, is] = [before[field] ?? null, after[field] ?? null];
    if (BESIDE.has(field) || Bun.deepEquals(was, is)) continue;
    effects.push({ resourceType, id, field, before: was, after: is });
  }
  return effects;
}
