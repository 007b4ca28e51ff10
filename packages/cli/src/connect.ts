import type { Client } from '@warung/sdk'
import { createClient, NotFound } from '@warung/sdk'
import type { Connection } from './command.ts'
import { NoCredentials } from './exit-codes.ts'
import type { Io } from './io.ts'
import { UsageError } from './io.ts'
import type { Environment, Profile } from './profiles.ts'
import { loadProfiles } from './profiles.ts'

export const ENVIRONMENT_NAMES = ['WARUNG_BASE_URL', 'WARUNG_API_KEY', 'WARUNG_SIGNING_SECRET'] as const

/** Opens the client of a profile, or of the credentials in the environment, and shows where it leads. */
export async function connect(io: Io, wanted: string | undefined): Promise<Connection> {
  const fromEnvironment = wanted === undefined ? environmentProfile(io) : undefined
  const { name, profile } =
    fromEnvironment === undefined
      ? await storedProfile(io, wanted)
      : { name: undefined, profile: fromEnvironment }
  const client = clientOf(profile)
  const environment = profile.environment === 'unknown' ? await findEnvironment(client) : profile.environment
  const origin = name === undefined ? 'credentials of the environment' : `profile ${name}`
  io.note(`warung: ${environment.toUpperCase()} · ${origin} · ${profile.base_url}\n`)
  return { client, environment, profile, profileName: name }
}

export function clientOf(profile: Pick<Profile, 'base_url' | 'api_key' | 'signing_secret'>): Client {
  return createClient({
    baseUrl: profile.base_url,
    apiKey: profile.api_key,
    signingSecret: profile.signing_secret,
  })
}

function environmentProfile({ env }: Io): Profile | undefined {
  const [baseUrl, apiKey, secret] = ENVIRONMENT_NAMES.map((name) => env[name])
  if (!baseUrl || !apiKey || !secret) return undefined
  return {
    // Paths are appended to it, as to that of a saved profile.
    base_url: baseUrl.replace(/\/+$/, ''),
    api_key: apiKey,
    signing_secret: secret,
    environment: 'unknown',
    account: '',
  }
}

async function storedProfile(
  io: Io,
  wanted: string | undefined,
): Promise<{ name: string; profile: Profile }> {
  const { current, profiles } = await loadProfiles(io.env)
  const name = wanted ?? (io.env.WARUNG_PROFILE || current)
  const profile = profiles[name]
  if (profile !== undefined) return { name, profile }
  if (Object.keys(profiles).length > 0) throw new UsageError(`There is no profile ${name}.`)
  throw new NoCredentials(
    `There are no credentials. Run: warung login (or set ${ENVIRONMENT_NAMES.join(', ')})`,
  )
}

/** Finds the environment: the test clock exists in staging alone. */
export async function findEnvironment(client: Client): Promise<Environment> {
  try {
    await client.getTestClock()
    return 'staging'
  } catch (error) {
    return error instanceof NotFound ? 'production' : 'unknown'
  }
}
