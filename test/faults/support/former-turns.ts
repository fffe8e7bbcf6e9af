// Loaded before the program (`bun --preload`) it gives turns as they were given once: one line for all callers. The control
// of the test that one caller never takes all turns.
import { Turns } from "../../../src/kernel/threads/turns.ts";
import { FormerTurns } from "../../kernel/threads/former-turns.ts";

const former = new FormerTurns();

Turns.prototype.take = (asker) => former.take(asker);
