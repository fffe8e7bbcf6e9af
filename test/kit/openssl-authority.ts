// A time stamp authority by OpenSSL's `ts`, with a root of its own: another implementation of all that ours reads.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leavesProcess } from "./release.ts";

export const hasOpenssl = Bun.which("openssl") !== null;

/** What an authority signs with. */
export type KeyKind = "rsa" | "rsa-pss" | "p256" | "p384";

interface Making {
  readonly key?: KeyKind;
  readonly digest?: "sha256" | "sha384" | "sha512";
  /** The extensions of its own certificate, instead of the right ones. */
  readonly extensions?: string;
  /** The days for which that is valid, from now. */
  readonly days?: number;
  /** Whether a certificate stands between its own and the root, with these extensions. */
  readonly between?: string;
  /** The hash by which the signed attributes name the certificate. */
  readonly essDigest?: "sha1" | "sha256";
  /** Besides its own, the certificates that it sends: the one between, and the root. */
  readonly sendsRoot?: boolean;
}

export const RIGHT =
  "basicConstraints=CA:false\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=critical,timeStamping";
export const RIGHT_BETWEEN = "basicConstraints=critical,CA:true,pathlen:0\nkeyUsage=critical,keyCertSign";

const NEW_KEY: Readonly<Record<KeyKind, readonly string[]>> = {
  rsa: ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
  "rsa-pss": ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
  p256: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
  p384: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"],
};

/** An authority, in a folder of its own. */
export class OpensslAuthority {
  readonly folder = mkdtempSync(join(tmpdir(), "captable-tsa-"));
  /** The PEM of its root. */
  readonly roots: string;
  readonly rootFile = join(this.folder, "root.pem");

  constructor(making: Making = {}) {
    const { key = "rsa", digest = "sha256", extensions = RIGHT, days = 365, essDigest = "sha256" } = making;
    const isPss = key === "rsa-pss" ? ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:32"] : [];
    for (const name of ["root", "between", "tsa"]) this.#run("genpkey", ...NEW_KEY[key], "-out", `${name}.key`);
    this.#write(
      "root.cnf",
      "[req]\ndistinguished_name=dn\nprompt=no\nx509_extensions=v3\n[dn]\nCN=Test Root\n[v3]\n" +
        "basicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign,cRLSign\n",
    );
    const root = ["-x509", "-key", "root.key", "-days", "3650", "-config", "root.cnf", `-${digest}`, ...isPss];
    this.#run("req", ...root, "-out", "root.pem");
    const certify = (name: string, issuer: string, ext: string, valid: number) => {
      this.#run("req", "-new", "-key", `${name}.key`, "-subj", `/CN=Test ${name}`, "-out", `${name}.csr`);
      this.#write(`${name}.ext`, ext);
      const by = ["-CA", `${issuer}.pem`, "-CAkey", `${issuer}.key`, "-set_serial", "77", "-days", String(valid)];
      this.#run(
        "x509",
        "-req",
        "-in",
        `${name}.csr`,
        ...by,
        "-extfile",
        `${name}.ext`,
        `-${digest}`,
        ...isPss,
        "-out",
        `${name}.pem`,
      );
    };
    const { between } = making;
    if (between !== undefined) certify("between", "root", between, 3650);
    certify("tsa", between === undefined ? "root" : "between", extensions, days);
    const sent = [...(between === undefined ? [] : ["between.pem"]), ...(making.sendsRoot ? ["root.pem"] : [])];
    this.#write("chain.pem", sent.map((file) => readFileSync(join(this.folder, file), "utf8")).join(""));
    const certs = sent.length > 0 ? `certs=${join(this.folder, "chain.pem")}\n` : "";
    this.#write(
      "ts.cnf",
      `[tsa]\ndefault_tsa=t\n[t]\nserial=${join(this.folder, "serial")}\ncrypto_device=builtin\n` +
        `signer_cert=${join(this.folder, "tsa.pem")}\nsigner_key=${join(this.folder, "tsa.key")}\n${certs}` +
        `signer_digest=${digest}\ndefault_policy=1.2.3.4.1\ndigests=sha256,sha384,sha512\naccuracy=secs:1\n` +
        `ordering=yes\ntsa_name=yes\ness_cert_id_chain=no\ness_cert_id_alg=${essDigest}\n`,
    );
    this.#write("serial", "01\n");
    this.roots = readFileSync(this.rootFile, "utf8");
  }

  /** Its answer to a request, both in DER. */
  answer(request: Uint8Array): Uint8Array {
    writeFileSync(join(this.folder, "q.tsq"), request);
    this.#run("ts", "-reply", "-queryfile", "q.tsq", "-config", "ts.cnf", "-out", "r.tsr");
    return readFileSync(join(this.folder, "r.tsr"));
  }

  /** Whether OpenSSL holds a token for one of these bytes' SHA-256 too, as of now or of `atSeconds`. */
  verifies(token: Uint8Array, digest: Uint8Array, atSeconds?: number): boolean {
    writeFileSync(join(this.folder, "t.der"), token);
    const at = atSeconds === undefined ? [] : ["-attime", String(atSeconds)];
    const said = this.#try(
      "ts",
      "-verify",
      "-in",
      "t.der",
      "-token_in",
      "-digest",
      Buffer.from(digest).toString("hex"),
      "-CAfile",
      "root.pem",
      ...(at.length > 0 ? at : []),
    );
    return said.exitCode === 0;
  }

  /** Serves it over HTTP, until `stop`. */
  serve(answerWith: (request: Uint8Array) => Uint8Array = (request) => this.answer(request)) {
    const server = Bun.serve({
      port: 0,
      fetch: async (request) =>
        new Response(Uint8Array.from(answerWith(await request.bytes())), {
          headers: { "content-type": "application/timestamp-reply" },
        }),
    });
    return {
      url: `http://127.0.0.1:${server.port}/tsa`,
      host: `127.0.0.1:${server.port}`,
      stop: () => server.stop(true),
    };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  #try(...args: readonly string[]) {
    leavesProcess("openssl");
    return Bun.spawnSync(["openssl", ...args], { cwd: this.folder, stdout: "pipe", stderr: "pipe" });
  }

  #run(...args: readonly string[]): void {
    const { exitCode, stderr } = this.#try(...args);
    if (exitCode !== 0) throw new Error(`openssl ${args.join(" ")}: ${stderr.toString()}`);
  }
}
