// captable print: files that an operator puts in place, for systemd and for Docker.
import type { Command } from "commander";
import service from "./assets/captable.service" with { type: "text" };
import template from "./assets/captable-template.service" with { type: "text" };
import dockerfile from "./assets/Dockerfile" with { type: "text" };
import { type CommonOptions, newCommand, printText, withExamples, withoutDataDir } from "./command.ts";

/** Declares `captable print`. */
export function printCommand(): Command {
  const systemd = withoutDataDir(newCommand("systemd", "Print a hardened systemd unit."))
    .option("--template", "a unit for several instances: captable@client.service")
    .action((options: CommonOptions & { readonly template?: boolean }) => {
      const text = options.template ? template : service;
      printText(options, { text }, text);
    });
  withExamples(
    systemd,
    "captable print systemd > /etc/systemd/system/captable.service",
    "captable print systemd --template > /etc/systemd/system/captable@.service",
  );
  const docker = withoutDataDir(newCommand("dockerfile", "Print a Dockerfile for the executable."));
  docker.action((options: CommonOptions) => printText(options, { text: dockerfile }, dockerfile));
  withExamples(docker, "captable print dockerfile > Dockerfile");
  return newCommand("print", "Print a systemd unit or a Dockerfile.").addCommand(systemd).addCommand(docker);
}
