// captable webhooks: endpoints of the instance, which hear of backups and of what fails; those of an organization are
// made by its administrators.
import type { Command } from "commander";
import { send } from "../../src/exchange/webhooks/instance-test.ts";
import { systemRuntime, toTimestamp } from "../../src/kernel/runtime.ts";
import { faultOfUrl } from "../../src/resources/webhook-endpoints/addresses.ts";
import { WebhookKey } from "../../src/resources/webhook-endpoints/webhook-key.ts";
import { webhookKeyFile } from "../../src/storage/data-dir/names.ts";
import type { Reader } from "../../src/storage/database/sql.ts";
import {
  findInstanceEndpoint,
  type InstanceEndpoint,
  insertInstanceEndpoint,
  lastInstanceEvent,
  listInstanceEndpoints,
  removeInstanceEndpoint,
} from "../../src/storage/follow/instance-store.ts";
import { CommandError, type CommonOptions, newCommand, print, table, withDataDir, withExamples } from "../command.ts";
import { type Opened, withData } from "../data.ts";

const URL_MAX = 2000;

/** Declares `captable webhooks`. */
export function webhooksCommand(): Command {
  return newCommand("webhooks", "Endpoints that hear of backups and failures: add, list, remove, test.")
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(removeCommand())
    .addCommand(testCommand());
}

function addCommand(): Command {
  const command = newCommand("add", "Add an endpoint of the instance and print its secret, this once only.")
    .requiredOption("--instance", "of the whole server; an organization's are made by its administrators")
    .requiredOption("--url <url>", "where it is: https, at an address that CAPTABLE_WEBHOOK_ALLOW allows");
  withExamples(withDataDir(command), "captable webhooks add --instance --url https://hooks.example.com/captable");
  return command.action((options: CommonOptions & { readonly url: string }) =>
    withData(options, async ({ config, writer }) => {
      const { url } = options;
      const { isPublic, ranges } = config.webhookAllow;
      const nowhere = isPublic || ranges.length > 0 ? null : "is to no place: CAPTABLE_WEBHOOK_ALLOW forbids all";
      const fault = nowhere ?? (url.length > URL_MAX ? "is too long" : faultOfUrl(url, config.webhookAllow));
      if (fault !== null) throw new CommandError(`--url ${fault}`, 2);
      const key = keyOf({ config }).readOrMake();
      const id = systemRuntime.newId();
      await writer.submit((tx) =>
        insertInstanceEndpoint(tx, {
          ...{ id, createdAt: toTimestamp(systemRuntime.nowMs()), url: new URL(url).href },
          ...{ secretVersion: 1, keyFingerprint: key.fingerprint },
          place: Number(lastInstanceEvent(tx) ?? 0),
        }),
      );
      const secret = key.secretOf({ id, version: 1 });
      print(
        options,
        { id, url: new URL(url).href, secret },
        table([
          ["id", id],
          ["secret, shown this once", secret],
        ]),
      );
    }),
  );
}

function keyOf({ config }: Pick<Opened, "config">): WebhookKey {
  return new WebhookKey(webhookKeyFile(config.dataDir));
}

function show({
  id,
  url,
  status,
  disabledReason,
  createdAt,
  lastSuccessAt,
  failingSince,
  lastError,
}: InstanceEndpoint) {
  return { id, url, status, disabledReason, createdAt, lastSuccessAt, failingSince, lastError };
}

function listCommand(): Command {
  const command = withDataDir(newCommand("list", "List the endpoints of the instance."));
  withExamples(command, "captable webhooks list", "captable webhooks list --json");
  return command.action((options: CommonOptions) =>
    withData(options, ({ db }) => {
      const endpoints = listInstanceEndpoints(db);
      const rows = endpoints.map((each) => {
        const { id, url, status, lastSuccessAt, lastError } = each;
        return [id, status, url, lastSuccessAt ?? "-", lastError ?? "-"];
      });
      print(
        options,
        { items: endpoints.map(show) },
        table([["ID", "STATUS", "URL", "LAST SUCCESS", "LAST ERROR"], ...rows]),
      );
    }),
  );
}

function getEndpoint(db: Reader, id: string): InstanceEndpoint {
  const found = findInstanceEndpoint(db, { id });
  if (!found) throw new CommandError(`no endpoint ${id} of the instance (captable webhooks list)`, 3);
  return found;
}

function removeCommand(): Command {
  const command = withDataDir(newCommand("remove", "Remove an endpoint of the instance, at once."));
  withExamples(command.argument("<id>", "its id (captable webhooks list)"), "captable webhooks remove 0190f5a2-…");
  return command.action((id: string, options: CommonOptions) =>
    withData(options, async ({ db, writer }) => {
      getEndpoint(db, id);
      await writer.submit((tx) => removeInstanceEndpoint(tx, { id }));
      print(options, { id }, `removed ${id}`);
    }),
  );
}

function testCommand(): Command {
  const command = withDataDir(newCommand("test", "Send a test to an endpoint of the instance."));
  withExamples(command.argument("<id>", "its id (captable webhooks list)"), "captable webhooks test 0190f5a2-…");
  return command.action((id: string, options: CommonOptions) =>
    withData(options, async ({ db, config }) => {
      const { error, responseStatus } = await send(getEndpoint(db, id), { config, key: keyOf({ config }) });
      if (error !== null) {
        const answer = responseStatus === null ? "" : `, status ${responseStatus}`;
        throw new CommandError(`the test was not delivered: ${error}${answer}`, 1);
      }
      print(options, { id, responseStatus }, `delivered, status ${responseStatus}`);
    }),
  );
}
