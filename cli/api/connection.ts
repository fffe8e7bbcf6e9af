// The server of `captable api`, and its key: by options, the environment, a profile, or this machine's.
import { resolve } from "node:path";
import type { Command } from "commander";
import { isLoopbackHost } from "../../src/kernel/loopback.ts";
import { VERSION } from "../../src/kernel/version.ts";
import { processEnvironment, readConfig } from "../../src/server/config.ts";
import { Sender } from "../client/sender.ts";
import { CommandError } from "../command.ts";
import { readOwnFile, readProfiles } from "./profiles.ts";

const USUAL = "http://127.0.0.1:8080";
/** An import may work for minutes before its answer begins. */
const STALL_MS = 900_000;

/** The options of every command that speaks to a server. */
export interface ConnectionOptions {
  readonly server?: string;
  readonly keyFile?: string;
  readonly profile?: string;
  readonly allowHttp?: boolean;
}

/** Adds them. */
export function withConnection(command: Command): Command {
  return command
    .option("--server <url>", `the server (CAPTABLE_SERVER, a profile's, else ${USUAL})`)
    .option("--key-file <file>", "the file that has the API key (CAPTABLE_KEY_FILE, a profile's)")
    .option("--profile <name>", "the profile (CAPTABLE_PROFILE, else the default one)")
    .option("--allow-http", "send the key without TLS, also to another machine");
}

/** The server that is meant, and the file of its key. Exit 2 where none or several are. */
export function chosenServer(options: ConnectionOptions): { readonly server: string; readonly keyFile: string } {
  const { server, keyFile, profile } = options;
  const config = readConfig(
    { ...(server === undefined ? {} : { server }), ...(keyFile === undefined ? {} : { keyFile }) },
    processEnvironment(),
  );
  if (profile !== undefined && (config.server !== null || config.keyFile !== null)) {
    throw new CommandError(
      "--profile names a server and its key, and so do --server, --key-file, CAPTABLE_SERVER and CAPTABLE_KEY_FILE: " +
        "leave one of the two out",
      2,
    );
  }
  const isWhole = config.server !== null && config.keyFile !== null;
  const found = isWhole ? null : profileNamed(profile ?? config.profile);
  // A profile's key is for its own server alone.
  const key = config.keyFile ?? (config.server === null ? found?.keyFile : undefined);
  if (key === undefined) {
    throw new CommandError("no key: name the file that has it with --key-file, CAPTABLE_KEY_FILE or a profile", 2);
  }
  return { server: config.server ?? found?.server ?? USUAL, keyFile: key };
}

function profileNamed(name: string | null) {
  const { default: usual, profiles } = readProfiles();
  const chosen = name ?? usual;
  if (chosen === null) return null;
  const found = Object.hasOwn(profiles, chosen) ? profiles[chosen] : undefined;
  if (found === undefined) throw new CommandError(`there is no profile ${chosen} (captable api profile list)`, 2);
  return found;
}

/** Refuses to send a key where others may read it on its way: exit 2. */
export function refuseOpenWay(server: string, { allowHttp = false }: ConnectionOptions): void {
  const { protocol, hostname } = new URL(server);
  if (protocol === "https:" || allowHttp || isLoopbackHost(hostname)) return;
  throw new CommandError(`${server} has no TLS, and others may read the key on its way: --allow-http sends it`, 2);
}

/** Sends requests to this host directly, whatever proxy the environment names. */
function passProxiesBy(host: string): void {
  const environment = processEnvironment();
  const { NO_PROXY, no_proxy } = environment;
  const named = [NO_PROXY, no_proxy, host].flatMap((each) => each?.split(",") ?? []).map((each) => each.trim());
  const hosts = [...new Set(named.filter((each) => each !== ""))].join(",");
  Object.assign(environment, { NO_PROXY: hosts, no_proxy: hosts });
}

/** What sends requests to the server that is meant. Exit 2 for a key file that others can read. */
export function senderFor(options: ConnectionOptions): Sender {
  const { server, keyFile } = chosenServer(options);
  refuseOpenWay(server, options);
  const { hostname } = new URL(server);
  // A proxy would get the key, and cannot reach this machine from where it is.
  if (isLoopbackHost(hostname)) passProxiesBy(hostname.replace(/^\[|\]$/g, ""));
  const key = readOwnFile(resolve(keyFile));
  if (!/^[\x21-\x7e]+$/.test(key)) throw new CommandError(`${keyFile} has no API key in it`, 2);
  return new Sender({ server, key, stallMs: STALL_MS });
}

/** The headers of every request of the command line. */
export function usualHeaders(): Headers {
  return new Headers({ "user-agent": `captable/${VERSION}` });
}
