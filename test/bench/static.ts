// The yardstick for answers: Elysia with one route that says the same text every time, in a process of its own like the
// program: `bun test/bench/static.ts <text>`. Prints its port.
import { Elysia } from "elysia";

const [text = "{}"] = process.argv.slice(2);
const app = new Elysia()
  .get("/static", () => new Response(text, { headers: { "content-type": "application/json" } }))
  .listen({ hostname: "127.0.0.1", port: 0 });
process.stdout.write(`${app.server?.port}\n`);
