// captable serve: migrates, then serves until SIGTERM or SIGINT.
import { Command } from "commander";
import { startApp } from "../src/app.ts";
import { processEnvironment, readConfig } from "../src/config.ts";

interface ServeOptions {
  readonly dataDir?: string;
  readonly host?: string;
  readonly port?: string;
}

/** Declares `captable serve`. */
export function serveCommand(): Command {
  return new Command("serve")
    .description("Serve the API.")
    .option("--data-dir <folder>", "where everything is kept")
    .option("--host <address>", "the address to listen on")
    .option("--port <number>", "the port to listen on")
    .action(async (options: ServeOptions) => {
      const config = readConfig(options, processEnvironment());
      const app = await startApp(config);
      process.stderr.write(`captable: serving ${app.url}, data in ${config.dataDir}\n`);
      if (app.adminKeyFile) process.stderr.write(`captable: the first ADMIN key is in ${app.adminKeyFile}\n`);
      for (const signal of ["SIGTERM", "SIGINT"] as const) {
        process.once(signal, () => {
          app.stop().then(
            () => process.exit(0),
            () => process.exit(1),
          );
        });
      }
    });
}
