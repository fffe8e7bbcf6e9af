// captable print: files that an operator puts in place, for systemd and for Docker.
import type { Command } from "commander";
import service from "./assets/captable.service" with { type: "text" };
import template from "./assets/captable-template.service" with { type: "text" };
import dockerfile from "./assets/Dockerfile" with { type: "text" };
import { newCommand, withExamples } from "./command.ts";

/** Declares `captable print`. */
export function printCommand(): Command {
  const systemd = newCommand("systemd", "Print a hardened systemd unit.")
    .option("--template", "a unit for several instances: captable@client.service")
    .action((options: { template?: boolean }) => void process.stdout.write(options.template ? template : service));
  withExamples(
    systemd,
    "captable print systemd > /etc/systemd/system/captable.service",
    "captable print systemd --template > /etc/systemd/system/captable@.service",
  );
  const docker = newCommand("dockerfile", "Print a Dockerfile for the executable.");
  docker.action(() => void process.stdout.write(dockerfile));
  withExamples(docker, "captable print dockerfile > Dockerfile");
  return newCommand("print", "Print a systemd unit or a Dockerfile.").addCommand(systemd).addCommand(docker);
}
