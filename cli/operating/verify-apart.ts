// `captable verify --org` in a child process, for a server that verifies while it serves.
import { constants, setPriority } from "node:os";
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
    runBehindOthers(child.pid);
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

/** Gives a process what the service leaves of the processors: one verification after the other must hold up no request. */
function runBehindOthers(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already, or the system has no priorities.
  }
}
