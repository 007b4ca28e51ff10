import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Io } from './io.ts'
import { UsageError } from './io.ts'

// Credentials of several accounts and environments, in one file that its owner alone can read.

export type Environment = 'staging' | 'production' | 'unknown'

export type Profile = {
  readonly base_url: string
  readonly api_key: string
  readonly signing_secret: string
  readonly environment: Environment
  readonly account: string
  /** Secret with which `listen` signs: the receiver under development knows it. */
  readonly listen_secret?: string
}

export type Profiles = {
  readonly current: string
  readonly profiles: Readonly<Record<string, Profile>>
  /** Secrets with which `listen` signs for credentials of the environment, by the digest of the API key. */
  readonly listen_secrets?: Readonly<Record<string, string>>
}

const OWNER_ONLY = 0o600
const OTHERS = 0o077
const EMPTY: Profiles = { current: 'default', profiles: {} }

export function configDir(env: Io['env']): string {
  const base = env.XDG_CONFIG_HOME || join(homedir(), '.config')
  return env.WARUNG_CONFIG_DIR || join(base, 'warung')
}

export async function loadProfiles(env: Io['env']): Promise<Profiles> {
  const file = join(configDir(env), 'profiles.json')
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) return EMPTY
  if (process.platform !== 'win32' && (found.mode & OTHERS) !== 0) {
    throw new UsageError(`${file} can be read by others. Run: chmod 600 ${file}`)
  }
  return JSON.parse(await readFile(file, 'utf8')) as Profiles
}

/** Saves the file in one step: a crash leaves the old one or the new one. */
export async function saveProfiles(env: Io['env'], profiles: Profiles): Promise<string> {
  const dir = configDir(env)
  const file = join(dir, 'profiles.json')
  await mkdir(dir, { recursive: true, mode: 0o700 })
  // A file that a crash left there may have other rights: it is never written into.
  await rm(`${file}.new`, { force: true })
  const text = `${JSON.stringify(profiles, null, 2)}\n`
  await writeFile(`${file}.new`, text, { mode: OWNER_ONLY, flag: 'wx', flush: true })
  await rename(`${file}.new`, file)
  return file
}
