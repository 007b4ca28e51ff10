/** Returns the environment of the process. Nothing else reads it. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env
}
