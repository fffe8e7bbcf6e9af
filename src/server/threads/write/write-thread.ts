// The writer thread, so that neither a flush to disk nor a long write delays a request that only reads. It is an entry
// point of its own: `Bun.build` must be given this file beside the program's.
import { join } from "node:path";
import { present } from "../../../kernel/assert.ts";
import { systemRuntime } from "../../../kernel/runtime.ts";
import { Channel } from "../../../kernel/threads/channel.ts";
import type { Peer, Sending } from "../../../kernel/threads/peer.ts";
import { tellError } from "../../../kernel/threads/serialized-error.ts";
import { serveThread } from "../../../kernel/threads/thread.ts";
import { WebhookKey } from "../../../resources/webhook-endpoints/webhook-key.ts";
import { webhookKeyFile } from "../../../storage/data-dir/names.ts";
import { DATABASE_FILE, openWritable } from "../../../storage/database/open.ts";
import { Writer } from "../../../storage/database/writer.ts";
import { allRoutes } from "../../routes.ts";
import { configuredChain } from "../../service/chain-start.ts";
import { roomOf } from "../../service/room-start.ts";
import { Writing } from "../../service/writing.ts";
import type { WriteCircumstances, WriteNews, WriteQuestions } from "./write-questions.ts";

declare const self: Worker;

let writing: Writing | null = null;

const opened = () => present(writing, "the writer");

/** The pieces of packages that are under way, by the number of their series. */
const packages = new Map<number, Channel<Uint8Array>>();

const sending: Sending = {
  gathering: {
    // The answers of one commit go together, and the figures of the writer with them.
    isGathered: (message) => !("ask" in message),
    later: queueMicrotask,
    last: () => ({ ask: "statistics", question: opened().changes.statistics }),
  },
};

serveThread<WriteNews, WriteQuestions>(
  self,
  (asker) => ({
    open(circumstances) {
      writing = open(circumstances, asker);
    },
    write: (task) => opened().changes.write(task),
    command: (task) => opened().changes.execute(task),
    export: (task) => opened().changes.recordExport(task),
    follow: (task) => opened().changes.follow(task),
    try: () => opened().changes.tryToWrite(),
    use({ use, at }) {
      opened().changes.noteUse(use, at);
    },
    upload: (task) => opened().changes.upload(task),
    series({ of, task }) {
      const pieces = new Channel<Uint8Array>();
      packages.set(of, pieces);
      return opened().changes.series({ ...task, pieces });
    },
    async piece({ of, bytes }) {
      await packages.get(of)?.put(bytes);
    },
    endPieces({ of, isWhole }) {
      const pieces = packages.get(of);
      packages.delete(of);
      if (isWhole) pieces?.end();
      else pieces?.fail(new Error("the package was not read to its end"));
    },
    stop: () => opened().stop(),
  }),
  sending,
);

function open(
  { config, environment, publicUrl, lastRequest, timeOrigin }: WriteCircumstances,
  { tell }: Pick<Peer<WriteNews, WriteQuestions>, "tell">,
): Writing {
  const ahead = performance.timeOrigin - timeOrigin;
  const db = openWritable(join(config.dataDir, DATABASE_FILE));
  const writer = new Writer(db, (error) => tell("broken", tellError(error)));
  const begun = new Writing({
    writer,
    runtime: systemRuntime,
    routes: allRoutes(environment, {
      publicUrl: () => publicUrl,
      webhookKey: new WebhookKey(webhookKeyFile(config.dataDir)),
      webhookAllow: config.webhookAllow,
      room: roomOf(config, db.sqlite.name),
      tellImport: (news) => tell("import", news),
    }),
    chain: config.chain === "off" ? null : configuredChain(config, db),
    // On few cores, work here takes time from the reads all the same.
    lastRequestMs: () => present(lastRequest[0], "when a request last came") - ahead,
    onTrouble: (line, thrown) => tell("trouble", { line, error: tellError(thrown) }),
  });
  begun.begin();
  return begun;
}
