// captable healthcheck: asks a running server whether it can do its work, for containers and monitors without curl.
import type { Command } from "commander";
import { processEnvironment, readConfig } from "../../src/server/config.ts";
import { reachableUrl } from "../../src/server/http/listen.ts";
import { CommandError, type CommonOptions, newCommand, print, withExamples, withoutDataDir } from "../command.ts";

const ANSWER_MS = 4000;

/** Declares `captable healthcheck`. */
export function healthcheckCommand(): Command {
  const command = withoutDataDir(newCommand("healthcheck", "Ask a running server whether it is ready."))
    .option("--host <address>", "where it listens (CAPTABLE_HOST, default 127.0.0.1)")
    .option("--port <number>", "the port it listens on (CAPTABLE_PORT, default 8080)");
  withExamples(command, "captable healthcheck", "captable healthcheck --port 9000");
  return command.action(healthcheck);
}

interface Options extends CommonOptions {
  readonly host?: string;
  readonly port?: string;
}

async function healthcheck({ json = false, ...options }: Options): Promise<void> {
  const config = readConfig({ ...options }, processEnvironment());
  const url = `${reachableUrl(config)}/readyz`;
  let answer: Response;
  try {
    answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
  } catch {
    throw new CommandError(`nothing answers at ${url}`, 1);
  }
  if (!answer.ok) throw new CommandError(`${url} answers ${answer.status}: ${await answer.text()}`, 1);
  print({ json }, { status: "ready", url }, "ready");
}
