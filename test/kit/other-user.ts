// The program as another user without rights, for tests of whose the data is. That needs root, who can become one.
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { BRIEFLY, type Ended, PROGRAM, programEnvironment } from "./program.ts";

/** The other user, and its group. */
export const NOBODY = 65534;
const isRoot = process.geteuid?.() === 0;

/** How to start the program as that user; null where this one may not become it. */
export const asNobody: readonly string[] | null =
  isRoot && Bun.which("setpriv") !== null
    ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", ...PROGRAM]
    : null;

/** What the program needs in its environment as a user without a home. */
export const HOMELESS = { HOME: "/", BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" } as const;

/** Runs a command to its end as that user, in a folder that it may enter. */
export async function runAsNobody(
  args: readonly string[],
  cwd: string,
  environment: Record<string, string> = {},
): Promise<Ended> {
  const env = programEnvironment({ ...BRIEFLY, ...HOMELESS, ...environment });
  const child = Bun.spawn([...(asNobody ?? []), ...args], { env, cwd, stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { status: await child.exited, stdout, stderr };
}

/** Everything below a folder that is not `uid`'s, with the folder itself. */
export function notOf(uid: number, path: string): string[] {
  const found = lstatSync(path);
  const own = found.uid === uid && found.gid === uid ? [] : [`${path} ${found.uid}:${found.gid}`];
  const inner = found.isDirectory() ? readdirSync(path).flatMap((name) => notOf(uid, join(path, name))) : [];
  return [...own, ...inner];
}
