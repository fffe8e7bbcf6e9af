// captable chain: the chain's status, and the reconciliation of tokens with the ledger.
import { existsSync } from "node:fs";
import type { Command } from "commander";
import { systemRuntime, toTimestamp } from "../../src/kernel/runtime.ts";
import { configuredChain } from "../../src/server/service/chain-start.ts";
import { embeddedChainFile } from "../../src/storage/data-dir/chain-files.ts";
import type { Row } from "../../src/storage/database/sql.ts";
import { isChainOff } from "../../src/storage/outbox/tokens.ts";
import { assertSameChain, type Chain, ChainError, EMBEDDED_CHAIN_ID } from "../../src/tokens/chain/port.ts";
import type { Reconciliation } from "../../src/tokens/jobs/reconcile.ts";
import { findBinding, findFactoryAddress } from "../../src/tokens/jobs/session.ts";
import { countJobs } from "../../src/tokens/jobs/store.ts";
import { listAskedFor } from "../../src/tokens/jobs/token-store.ts";
import { CommandError, type CommonOptions, newCommand, print, table, withDataDir, withExamples } from "../command.ts";
import { type Opened, withData } from "../data.ts";

/** How often a class is looked at while the chain goes on under way. */
const LOOKS_MAX = 20;

/** Declares `captable chain`. */
export function chainCommand(): Command {
  return newCommand("chain", "The chain that holds the tokens: status, reconcile.")
    .addCommand(statusCommand())
    .addCommand(reconcileCommand());
}

function statusCommand(): Command {
  const command = withDataDir(newCommand("status", "Show the chain, its operator and the work under way."));
  withExamples(command, "captable chain status", "captable chain status --json");
  return command.action((options: CommonOptions) =>
    withData(options, async (opened) => {
      const { db } = opened;
      const binding = findBinding(db);
      const classes = listAskedFor(db);
      const count = (status: string) => classes.filter((each) => each.tokenizationStatus === status).length;
      const shown = {
        kind: isChainOff(db) ? "off" : opened.config.chainRpcUrl === null ? "local development chain" : "node",
        chainId: binding?.chainId ?? null,
        ...(await askHead(opened)),
        operator: binding?.operator ?? null,
        factory: findFactoryAddress(db),
        deployed: count("DEPLOYED"),
        pending: count("PENDING"),
        failed: count("FAILED"),
        jobs: countJobs(db),
      };
      const { jobs, ...rest } = shown;
      const lines = Object.entries(rest).map(([name, value]) => [name, value === null ? "-" : String(value)]);
      const work = `${jobs.queued} queued, ${jobs.running} running, ${jobs.failed} failed`;
      print(options, shown, table([...lines, ["jobs", work]]));
    }),
  );
}

async function askHead(opened: Opened): Promise<{ head: string | null; trouble: string | null }> {
  if (isChainOff(opened.db) || !isThere(opened)) return { head: null, trouble: null };
  try {
    return await withChain(opened, async (chain) => ({ head: String(await chain.head()), trouble: null }));
  } catch (error) {
    if (error instanceof ChainError) return { head: null, trouble: error.message };
    throw error;
  }
}

/** False where the embedded chain was never used: asking must not make it. */
function isThere({ config }: Opened): boolean {
  return config.chainRpcUrl !== null || existsSync(embeddedChainFile(config.dataDir));
}

async function withChain<T>({ config, db }: Opened, work: (chain: Chain) => Promise<T>): Promise<T> {
  const chain = await configuredChain(config, db).openChain();
  try {
    const binding = findBinding(db);
    if (binding !== null) assertSameChain(binding, await chain.identity());
    return await work(chain);
  } finally {
    await chain.close();
  }
}

function reconcileCommand(): Command {
  const command = newCommand("reconcile", "Compare supply and every holder's balance with the ledger.").option(
    "--class <id>",
    "one share class only",
  );
  withExamples(withDataDir(command), "captable chain reconcile", "captable chain reconcile --class 0190f5a2-… --json");
  return command.action((options: CommonOptions & { class?: string }) =>
    withData(options, async (opened) => {
      const asked = isChainOff(opened.db) ? [] : listAskedFor(opened.db);
      const classes = asked.filter(({ id }) => options.class === undefined || id === options.class);
      if (options.class !== undefined && classes.length === 0) {
        throw new CommandError(`no share class ${options.class} that has, or is to have, a token`, 3);
      }
      const found = await reconcileAll(opened, classes);
      const isEqual = found.every(({ differences }) => differences.length === 0);
      const lines = found.length === 0 ? ["no share class has a token"] : found.flatMap(describe);
      print(options, { isEqual, items: found }, lines);
      if (!isEqual) process.exitCode = 1;
    }),
  );
}

async function reconcileAll(opened: Opened, classes: readonly Row<"share_classes">[]): Promise<Reconciliation[]> {
  const { db, writer, config } = opened;
  if (classes.length === 0) return [];
  const { reconcileClass } = await import("../../src/tokens/jobs/reconcile.ts");
  const found: Reconciliation[] = [];
  await withChain(opened, async (chain) => {
    const { chainId } = await chain.identity();
    const confirmations = chainId === EMBEDDED_CHAIN_ID ? 1 : config.chainConfirmations;
    for (const stockClass of classes) {
      const session = { chain, confirmations };
      const parts = () => ({ db, writer, session, at: toTimestamp(systemRuntime.nowMs()) });
      found.push(await lookAgain(() => reconcileClass(parts(), stockClass)));
    }
  });
  return found;
}

/** The embedded chain knows its newest state only: a server that mines under way has us look again, at the next. */
async function lookAgain<T>(look: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await look();
    } catch (error) {
      const hasMoved = error instanceof ChainError && error.code === "state-unavailable";
      if (!hasMoved || tries === LOOKS_MAX) throw error;
    }
  }
}

function describe({ name, stockClassId, tokenizationStatus, ...found }: Reconciliation): string[] {
  const { totalSupply, expectedSupply, awaitingApproval, holders, pendingOperations, differences } = found;
  const verdict = differences.length === 0 ? "equal" : "DIFFERENT";
  const head =
    `${name} (${stockClassId}) ${tokenizationStatus}: ${verdict}. On chain ${totalSupply}, by the ledger ` +
    `${expectedSupply}, awaiting approval ${awaitingApproval}; holders ${holders}, pending ${pendingOperations}`;
  const lines = differences.map(
    ({ address, expected, found: there, since }) =>
      `  ${address}: ${there} on chain, ${expected} by the ledger, since ${since}`,
  );
  return [head, ...lines];
}
