// The follow thread: begun when a follower has something to do, woken by commits, ended when nothing is left; its tasks;
// and what becomes of it when a follower fails.
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { dirname } from "node:path";
import { readConfig } from "../../../../src/server/config.ts";
import { tasksOf } from "../../../../src/server/threads/follow/followers.ts";
import { following } from "../../../../src/server/threads/follow/following.ts";
import { findSetting, storeSetting } from "../../../../src/storage/database/settings.ts";
import { type FollowTask, followTask } from "../../../../src/storage/follow/follow-task.ts";
import type { Follower, FollowGround } from "../../../../src/storage/follow/follower.ts";
import { startTestServer, type TestServer } from "../../../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

const note: FollowTask<{ readonly text: string }, { readonly at: string }> = followTask(
  "test-note",
  (tx, { at }, { text }: { readonly text: string }) => {
    if (text === "refused") throw new Error("this note is refused");
    storeSetting(tx, "noted", text);
    return { at };
  },
);

/** A follower that works while the setting `follow` is `yes`, and what it did. */
function listening() {
  const told: string[] = [];
  const ground = Promise.withResolvers<FollowGround>();
  const follower: Follower = {
    name: "listening",
    isWanted: (db) => findSetting(db, "follow") === "yes",
    begin(given) {
      told.push("begun");
      ground.resolve(given);
      return Promise.resolve({
        wake() {
          told.push(`woken at ${findSetting(given.db, "counter")}`);
        },
        stop() {
          told.push("stopped");
          return Promise.resolve();
        },
      });
    },
    tasks: [note],
  };
  return { follower, told, ground: ground.promise };
}

const set = (name: string, value: string) => server?.app.writer.submit((tx) => storeSetting(tx, name, value));

async function until(is: () => boolean): Promise<void> {
  for (let looks = 0; !is(); looks++) {
    if (looks > 2000) throw new Error("it did not come");
    await Bun.sleep(10);
  }
}

describe("the follow thread", () => {
  test("begins when there is something to follow, is woken by commits, and ends when nothing is left", async () => {
    const { follower, told, ground } = listening();
    server = await startTestServer({}, { followers: [follower] });
    await Bun.sleep(50);
    expect(told).toEqual([]);
    await set("follow", "yes");
    await ground;
    await set("counter", "1");
    await until(() => told.at(-1) === "woken at 1");
    expect(told[0]).toBe("begun");
    await set("follow", "no");
    await until(() => told.at(-1) === "stopped");
    await set("follow", "yes");
    await until(() => told.filter((each) => each === "begun").length === 2);
  });

  test("has tasks carried out by the writer, and is told why one is refused", async () => {
    const { follower, ground } = listening();
    server = await startTestServer({}, { followers: [follower] });
    await set("follow", "yes");
    const { write } = await ground;
    const { at } = await write(note, { text: "heard" });
    expect(at).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(findSetting(server.app.writer.db, "noted")).toBe("heard");
    await expect(write(note, { text: "refused" })).rejects.toThrow("this note is refused");
    expect(findSetting(server.app.writer.db, "noted")).toBe("heard");
  });

  test("rests while requests write, and no longer than it is asked to", async () => {
    const { follower, ground } = listening();
    server = await startTestServer();
    await set("follow", "yes");
    const database = server.app.writer.db.sqlite.name;
    const { work } = following([follower]);
    const asker = { ask: () => Promise.reject(new Error("nothing is written")), tell: () => undefined };
    const here = work(asker);
    // As if a request that may write came at each moment.
    const lastRequest = new Float64Array([0, Number.POSITIVE_INFINITY]);
    const config = readConfig({ dataDir: dirname(database) }, {});
    here.open({ config, database, lastRequest, timeOrigin: performance.timeOrigin, againMs: 20 });
    const over = here.follow(null);
    const { rest } = await ground;
    let isOver = false;
    const resting = rest(60_000).then(() => {
      isOver = true;
    });
    await rest(40);
    expect(isOver).toBe(false);
    lastRequest[1] = Number.NEGATIVE_INFINITY;
    await resting;
    await here.stop(null);
    await over;
  });

  test("is begun again after a follower could not begin, and says why", async () => {
    let failures = 2;
    const { follower, told } = listening();
    const failing: Follower = {
      ...follower,
      begin(ground) {
        if (failures-- > 0) return Promise.reject(new Error("the follower has no room"));
        return follower.begin(ground);
      },
    };
    const other = listening();
    const followers = [failing, { ...other.follower, name: "other", tasks: [] }];
    server = await startTestServer({}, { followers, followAgainMs: 20 });
    await set("follow", "yes");
    await until(() => told.includes("begun"));
    expect(server.log.join("").split("the follower has no room").length - 1).toBe(2);
    // It stopped no other.
    expect(other.told).not.toContain("stopped");
    expect(other.told.filter((each) => each === "begun")).toHaveLength(1);
  });

  test("finishes what is in hand when the service stops, with its tasks", async () => {
    const { follower, ground: begun } = listening();
    const finishing: Follower = {
      ...follower,
      async begin(ground) {
        await follower.begin(ground);
        return {
          wake: () => undefined,
          async stop() {
            await Bun.sleep(100);
            await ground.write(note, { text: "last words" });
          },
        };
      },
    };
    const here = await startTestServer({}, { followers: [finishing] });
    const { writer } = here.app;
    await writer.submit((tx) => storeSetting(tx, "follow", "yes"));
    await begun;
    let noted: string | null = null;
    const { close } = writer.db.sqlite;
    writer.db.sqlite.close = () => {
      noted = findSetting(writer.db, "noted");
      return close.call(writer.db.sqlite);
    };
    await here.stop();
    expect(noted).toBe("last words" as never);
  });
});

test("two tasks of one name are refused", () => {
  const { follower } = listening();
  expect([...tasksOf([follower]).keys()]).toEqual(["test-note"]);
  expect(() => tasksOf([follower, { ...follower, name: "other" }])).toThrow("two tasks are called test-note");
});
