// Loaded before the program (`bun --preload`) it has each process that reads a file stop itself before it begins, as long
// as the file that `HOLD_READERS` names is there: what a test does while a file is being read, it does in time.
import { existsSync } from "node:fs";
import { READ_FILE } from "../../../src/exchange/reading/reading-protocol.ts";

const STOP_FIRST = ["/bin/sh", "-c", 'kill -STOP $$; exec "$@"', "sh"];
const { spawn } = Bun;

function spawnHeld(command: string[], options?: Parameters<typeof spawn>[1]): Bun.Subprocess {
  const isHeld = command.includes(READ_FILE) && existsSync(process.env.HOLD_READERS ?? "");
  return spawn(isHeld ? [...STOP_FIRST, ...command] : command, options);
}

Bun.spawn = spawnHeld as typeof spawn;
