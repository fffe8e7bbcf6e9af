// A mail server of the tests' own, which keeps what it accepts.
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** A mail as it came. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly isSecure: boolean;
  /** Headers by their names in small letters, unfolded. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, decoded. */
  readonly text: string;
  readonly raw: string;
}

/** What the server answers, and with what it is encrypted. */
export interface MailServerGiven {
  readonly key?: string;
  readonly cert?: string;
  /** TLS from the beginning. */
  readonly isSecure?: boolean;
  readonly login?: { readonly user: string; readonly pass: string };
  /** The status that a recipient is refused with; undefined accepts it. */
  readonly refuses?: (to: string) => number | undefined;
}

/** A running server. */
export interface TestMailServer {
  readonly port: number;
  readonly received: ReceivedMail[];
  /** Resolves once there are so many. */
  has(count: number): Promise<readonly ReceivedMail[]>;
  stop(): Promise<void>;
}

function refusal(responseCode: number): Error {
  return Object.assign(new Error("no, and the mail says: secret"), { responseCode });
}

/** Starts a server on a free port. */
export async function startMailServer(given: MailServerGiven = {}): Promise<TestMailServer> {
  const received: ReceivedMail[] = [];
  const waiting: { readonly count: number; readonly resolve: (all: readonly ReceivedMail[]) => void }[] = [];
  const { key, cert, isSecure = false, login, refuses } = given;
  const server = new SMTPServer({
    secure: isSecure,
    ...(key && cert ? { key, cert } : {}),
    authOptional: login === undefined,
    disabledCommands: [...(cert ? [] : ["STARTTLS"]), ...(login ? [] : ["AUTH"])],
    onAuth({ username, password }, _session, done) {
      if (username === login?.user && password === login.pass) return done(null, { user: username });
      return done(refusal(535));
    },
    onRcptTo({ address }, _session, done) {
      const code = refuses?.(address);
      done(code === undefined ? null : refusal(code));
    },
    onData(stream, { envelope, secure }, done) {
      let raw = "";
      stream.on("data", (bytes: Uint8Array) => {
        raw += new TextDecoder().decode(bytes);
      });
      stream.on("end", () => {
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), isSecure: secure, ...read(raw), raw });
        done();
        for (const each of waiting.filter(({ count }) => received.length >= count)) each.resolve(received);
      });
    },
  });
  server.on("error", () => undefined);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    has(count) {
      if (received.length >= count) return Promise.resolve(received);
      return new Promise((settle) => void waiting.push({ count, resolve: settle }));
    },
    stop: () => new Promise((settle) => server.close(settle)),
  };
}

function read(raw: string): Pick<ReceivedMail, "headers" | "text"> {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const lines = head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const body = rest.join("\r\n\r\n");
  const encoding = headers["content-transfer-encoding"];
  const text =
    encoding === "quoted-printable"
      ? new TextDecoder().decode(
          Uint8Array.from(
            body
              .replaceAll(/=\r\n/g, "")
              .match(/=[0-9A-F]{2}|[\s\S]/g)
              ?.map((each) => (each.length === 3 ? Number.parseInt(each.slice(1), 16) : each.charCodeAt(0))) ?? [],
          ),
        )
      : encoding === "base64"
        ? Buffer.from(body, "base64").toString("utf8")
        : body;
  return { headers, text };
}
