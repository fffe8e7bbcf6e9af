// The part of smtp-server that the tests of mail use; the package has no types of its own.
declare module "smtp-server" {
  import type { Readable } from "node:stream";

  interface Session {
    readonly secure: boolean;
    readonly envelope: {
      readonly mailFrom: { readonly address: string } | false;
      readonly rcptTo: readonly { readonly address: string }[];
    };
  }
  type Done = (error?: (Error & { responseCode?: number }) | null, result?: unknown) => void;

  export class SMTPServer {
    constructor(options: {
      readonly secure?: boolean;
      readonly key?: string;
      readonly cert?: string;
      readonly authOptional?: boolean;
      readonly disabledCommands?: readonly string[];
      readonly logger?: boolean;
      readonly onConnect?: (session: Session, done: Done) => void;
      readonly onAuth?: (
        auth: { readonly username: string; readonly password: string },
        session: Session,
        done: Done,
      ) => void;
      readonly onRcptTo?: (address: { readonly address: string }, session: Session, done: Done) => void;
      readonly onData?: (stream: Readable, session: Session, done: Done) => void;
    });
    readonly server: import("node:net").Server;
    listen(port: number, host: string, listening: () => void): void;
    close(closed: () => void): void;
    on(event: "error", listener: (error: Error) => void): void;
  }
}
