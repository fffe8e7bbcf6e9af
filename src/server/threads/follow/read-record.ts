// Records as their own routes answer them, for what is sent to the outside. The routes are loaded with the first of them.
import { Problem } from "../../../kernel/problem.ts";
import { jsonOf, loading, type PathParams, type ReadRoute } from "../../../resources/route.ts";
import type { Reader } from "../../../storage/database/sql.ts";
import { answeredMembers } from "../../batch/references.ts";

/** Reads the record at a path of the API, as an `ADMIN` of the organization; null for no such record. */
export type ReadRecord = (orgId: string, path: string) => Promise<unknown>;

interface Known {
  readonly form: RegExp;
  readonly names: readonly string[];
  readonly route: ReadRoute;
}

/** Reads by a connection. */
export function recordReader(db: Reader, nowMs: () => number): ReadRecord {
  let known: readonly Known[] | null = null;
  return async (orgId, path) => {
    known ??= await knownRoutes();
    for (const { form, names, route } of known) {
      const values = form.exec(path)?.slice(1);
      if (values === undefined) continue;
      const params: PathParams = Object.fromEntries(
        names.map((name, at) => [name, decodeURIComponent(values[at] ?? "")]),
      );
      await loading(route.run);
      try {
        return answeredMembers(jsonOf(route.run(db, { orgId, params, query: {}, nowMs: nowMs(), role: "ADMIN" })));
      } catch (error) {
        if (error instanceof Problem && error.status === 404) return null;
        throw error;
      }
    }
    return null;
  };
}

async function knownRoutes(): Promise<readonly Known[]> {
  const { allRoutes } = await import("../../routes.ts");
  return allRoutes("production").flatMap((route) => {
    const isOne =
      route.method === "GET" && route.response !== undefined && /(?:\/:\w+|\/organization)$/.test(route.path);
    if (!isOne) return [];
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
    const form = new RegExp(`^${route.path.replaceAll(".", "\\.").replace(/:\w+/g, "([^/]+)")}$`);
    return [{ form, names, route }];
  });
}
