// captable jobs: the background work that brings tokens in step with the ledger.
import type { Command } from "commander";
import { commandLineCall } from "../../src/kernel/call.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { retryJob } from "../../src/tokens/jobs/retry.ts";
import { findJob, type ListedJob, listJobs } from "../../src/tokens/jobs/store.ts";
import { CommandError, type CommonOptions, newCommand, print, table, withDataDir, withExamples } from "../command.ts";
import { withData } from "../data.ts";

const LISTED_MAX = 1000;

/** Declares `captable jobs`. */
export function jobsCommand(): Command {
  return newCommand("jobs", "Background work: list, retry.").addCommand(listCommand()).addCommand(retryCommand());
}

function listCommand(): Command {
  const command = withDataDir(newCommand("list", "List the jobs that are under way or failed, newest first."));
  withExamples(command, "captable jobs list", "captable jobs list --all --json");
  return command
    .option("--all", `finished ones too; ${LISTED_MAX} at most`)
    .action((options: CommonOptions & { all?: boolean }) =>
      withData(options, ({ db }) => {
        const jobs = listJobs(db, options.all === true, LISTED_MAX);
        const rows = jobs.map((job) => [job.id, job.kind, job.state, job.className, job.createdAt, job.error ?? "-"]);
        const heading = ["ID", "KIND", "STATE", "SHARE CLASS", "CREATED", "ERROR"];
        print(options, { items: jobs.map(showJob) }, table([heading, ...rows]));
      }),
    );
}

function showJob(job: Omit<ListedJob, "className">) {
  const { id, orgId, kind, state, stockClassId, securityId, transactionId, attempts, error, createdAt } = job;
  return { id, orgId, kind, state, stockClassId, securityId, transactionId, attempts, error, createdAt };
}

function retryCommand(): Command {
  const command = withDataDir(newCommand("retry", "Do a failed job again, or one that waits at once."));
  withExamples(command.argument("<job-id>", "its id (captable jobs list)"), "captable jobs retry 0190f5a2-…");
  return command.action((id: string, options: CommonOptions) =>
    withData(options, async ({ db, writer }) => {
      const job = findJob(db, { id });
      if (!job) throw new CommandError(`no job ${id}`, 3);
      await writer.submit((tx) => retryJob(tx, commandLineCall(systemRuntime, job.orgId), job));
      const now = findJob(db, { id }) ?? job;
      print(options, showJob(now), `job ${id} is ${now.state}; a running server takes it up`);
    }),
  );
}
