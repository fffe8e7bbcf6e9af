// `captable verify --org` in a child process, for a server that verifies while it serves.
import { constants } from "node:os";
import { runBehindOthers } from "../../src/kernel/threads/limited-process.ts";
import type { VerifyReport } from "../../src/safekeeping/verify/report.ts";
import type { VerifyElsewhere } from "../../src/safekeeping/verify/runs.ts";
import { ownProgram } from "../own-program.ts";

/** What `captable verify` ends with where there are differences. */
const DIFFERENT = 4;

/** Verifies organizations of a data directory by this very program. */
export function verifyApart(dataDir: string): VerifyElsewhere {
  return async (orgId, signal) => {
    const command = [...ownProgram(), "verify", "--org", orgId, "--data-dir", dataDir, "--json"];
    const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe", signal });
    // One verification after the other must hold up no request.
    runBehindOthers(child.pid, constants.priority.PRIORITY_LOW);
    const [status, said, complaint] = await Promise.all([
      child.exited,
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    if ((status !== 0 && status !== DIFFERENT) || said === "") {
      throw new Error(complaint.trim() || `captable verify ended with status ${status}`);
    }
    return JSON.parse(said) as VerifyReport;
  };
}
