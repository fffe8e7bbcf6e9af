// Loaded before the program, makes it the next version: it has one migration more.
import { migrations } from "../../../migrations/index.ts";
import { NEXT } from "./next.ts";

Object.assign(migrations, NEXT);
