// Composition root: constructs the service. It is the only place that does; the command line and the tests call it.

import { ImportsUnderWay } from "../exchange/ocf/import/under-way.ts";
import { systemRuntime, toTimestamp } from "../kernel/runtime.ts";
import { accessRoutes } from "../people/routes.ts";
import type { KeyEnvironment } from "../resources/api-keys/key.ts";
import { WebhookKey } from "../resources/webhook-endpoints/webhook-key.ts";
import { keepCheckpointFile } from "../safekeeping/checkpoint/file.ts";
import { Verifications } from "../safekeeping/verify/runs.ts";
import { webhookKeyFile } from "../storage/data-dir/names.ts";
import type { Reader } from "../storage/database/sql.ts";
import type { Writer } from "../storage/database/writer.ts";
import { type InstanceEvent, instanceEventTask } from "../storage/follow/instance-events.ts";
import type { Config } from "./config.ts";
import { RequestCounters } from "./http/answers/counters.ts";
import { ClientAddresses } from "./http/client-address.ts";
import { Edge } from "./http/edge.ts";
import { listening } from "./http/listen.ts";
import { makeServer } from "./http/server.ts";
import { allRoutes } from "./routes.ts";
import { deskOf, edgeParts, publicRoutesOf } from "./service/answering.ts";
import { BackgroundThreads } from "./service/background.ts";
import { checkEvidenceSettings } from "./service/evidence-start.ts";
import { followThreadOf } from "./service/follow-start.ts";
import { intervalsOf } from "./service/intervals.ts";
import { configuredMail, noteMail } from "./service/mail-start.ts";
import { openData } from "./service/open-data.ts";
import { Address, type AppPorts, type ServiceParts, telling } from "./service/parts.ts";
import { configuredProvider } from "./service/provider-start.ts";
import { roomOf } from "./service/room-start.ts";
import { writesOf } from "./service/writes.ts";

const CHECKPOINT_EVERY_MS = 600_000;

/** A running service. */
export interface App {
  /** Where it listens, for instance `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The address that clients use. */
  readonly publicUrl: string;
  readonly environment: KeyEnvironment;
  /** The writer in this thread; null if writes have a thread of their own. */
  readonly writer: Writer | null;
  readonly reader: Reader;
  /** The file with the first ADMIN key, if this start made it; else null. */
  readonly adminKeyFile: string | null;
  /** Records an event of the instance, for the operator's endpoints; never rejects. */
  tellInstance(event: InstanceEvent): Promise<void>;
  /** Finishes the requests that have arrived and closes everything. */
  stop(): Promise<void>;
}

/** Opens the data directory, migrates it, and serves it. */
export async function startApp(config: Config, given: Partial<AppPorts> = {}): Promise<App> {
  const ports: AppPorts = {
    runtime: systemRuntime,
    out: (text) => void process.stdout.write(text),
    onBroken: () => process.exit(1),
    ...given,
  };
  const provider = configuredProvider(config);
  await checkEvidenceSettings(config);
  const sendsMail = configuredMail(config) !== null;
  const data = await openData(config, ports);
  const { environment, reader, adminKeyFile } = data;
  const address = new Address(config);
  const parts = { config, ports, data, address, ...telling(config, ports, data) };
  const imports = new ImportsUnderWay();
  const verifications = verificationsBy(parts);
  const { publicUrl } = address;
  const { signer } = data;
  const room = roomOf(config, reader.sqlite.name, ports.disk);
  const webhooks = { webhookKey: new WebhookKey(webhookKeyFile(config.dataDir)), webhookAllow: config.webhookAllow };
  const served = {
    ...webhooks,
    signer,
    ...intervalsOf(config),
    publicUrl,
    fontDir: config.fontDir,
    imports,
    verifications,
    room,
  };
  const routes = allRoutes(environment, served);
  const writes = await writesOf(parts, routes, imports);
  const follow = followThreadOf(parts, writes);
  const background = new BackgroundThreads(parts);
  const desk = config.dashboard === "off" ? null : deskOf(parts, writes, provider);
  const counters = new RequestCounters();
  const edge = new Edge(edgeParts(parts, { writes, background, desk, counters }));
  const publicRoutes = publicRoutesOf(parts, { writes, counters, routes, edge, figures: () => follow.figures });
  const answered = config.dashboard === "off" ? routes : [...routes, ...accessRoutes];
  const onUnread = ports.onReport ?? (() => undefined);
  const clients = new ClientAddresses({ trusted: config.trustedProxy, publicUrl, onUnread });
  const server = listening(config, (at) => makeServer({ routes: answered, publicRoutes }, edge, clients).listen(at));
  address.listensOn(server.server?.port);
  writes.begin();
  await noteMail(writes, sendsMail ? publicUrl() : null);
  follow.begin();
  if (data.hasImports) background.imports.look();
  const checkpoints = keepCheckpoints(parts, writes.watching);
  return {
    ...{ environment, reader, adminKeyFile },
    url: address.own,
    publicUrl: publicUrl(),
    writer: writes.writer,
    async tellInstance(event) {
      const { taskName: name } = instanceEventTask;
      await writes.changes.follow({ name, data: event }).catch((thrown: unknown) => parts.onFailure(thrown));
    },
    async stop() {
      edge.endStreams();
      await Promise.all([background.stopAfter(() => server.stop(false)), follow.stop()]);
      verifications.stop();
      checkpoints.stop();
      parts.log.flush();
      await writes.stop();
    },
  };
}

/** Verifications, if the ports supply a process for them. */
function verificationsBy({ ports: { verify, runtime }, onTrouble }: ServiceParts): Verifications {
  if (verify === undefined) return new Verifications();
  return new Verifications({
    verify,
    nowMs: () => runtime.nowMs(),
    onTrouble(thrown) {
      const message = `a verification could not be done: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
      onTrouble({ time: toTimestamp(runtime.nowMs()), message }, thrown);
    },
  });
}

/** Keeps the checkpoint file, where the settings name one. */
function keepCheckpoints({ config, ports, data }: ServiceParts, db: Reader): { stop(): void } {
  const { checkpointFile: file } = config;
  if (file === null) return { stop: () => undefined };
  const { runtime, checkpointEveryMs: everyMs = CHECKPOINT_EVERY_MS } = ports;
  const onTrouble = ports.onCheckpointTrouble ?? (() => undefined);
  return keepCheckpointFile({ file, db, signer: data.signer, runtime, everyMs, onTrouble });
}
