// The time stamp authority and the witnesses of the settings, checked before anything is opened. Whether they answer shows
// later: they may be down while this server starts.
import { type Config, SETTINGS, SettingError } from "../config.ts";

/** Throws {@link SettingError} where a file that the settings name cannot be used, or is missing. */
export async function checkEvidenceSettings(config: Config): Promise<void> {
  const { tsaUrl, tsaCaFile, witnessFile } = config;
  if (tsaUrl === null && tsaCaFile === null && witnessFile === null) return;
  const { readAuthority, readRoots, readWitnessFile, SourceError } = await import("../../safekeeping/kept/sources.ts");
  try {
    readAuthority(config);
    if (tsaCaFile !== null) readRoots(tsaCaFile);
    readWitnessFile(config);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new SettingError(`${SETTINGS[error.setting].variable} cannot be used: ${error.message}.`);
  }
}
