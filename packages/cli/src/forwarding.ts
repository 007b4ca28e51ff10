import { createHash, randomBytes } from 'node:crypto'
import { signWebhook } from '@warung/sdk'
import type { Connection, Context, Values } from './command.ts'
import { text } from './command.ts'
import type { Delivery } from './deliveries.ts'
import { UsageError } from './io.ts'
import { loadProfiles, saveProfiles } from './profiles.ts'

// Deliveries to a receiver on this machine, signed as those of the service.

export type Answered = {
  readonly status: number | null
  readonly durationMs: number
  readonly error?: string
}

const ANSWER_TIMEOUT_MS = 30_000
/** Begin of the id of a sample, by which receivers tell it from an event. */
export const SAMPLE_PREFIX = 'evt_test_'

/** Returns the address of the receiver; undefined when none was given. */
export function targetOf(values: Values): string | undefined {
  const target = text(values, 'forward-to')
  if (target !== undefined && !URL.canParse(target)) throw new UsageError('--forward-to is an absolute URL.')
  return target
}

/** Returns the secret that was given, or the one that is kept. */
export async function secretFor(context: Context, connection: Connection): Promise<string> {
  return text(context.values, 'secret') ?? (await keptSecret(context, connection))
}

/** Sends a delivery as the service does: redirects are not followed, and 30 seconds are the limit. */
export async function send(target: string, delivery: Delivery, secret: string): Promise<Answered> {
  const { id, method, payload, stream } = delivery
  const url = new URL(target)
  const own = url.search.slice(1)
  const query = method === 'GET' ? [own, payload].filter((part) => part !== '').join('&') : own
  const signed = await signWebhook({
    id,
    timestamp: Math.floor(Date.now() / 1_000),
    payload: method === 'GET' ? query : payload,
    secrets: [secret],
    hasBodySignature: stream !== 'callback',
  })
  const startedAt = Date.now()
  try {
    const answer = await fetch(`${url.origin}${url.pathname}${query === '' ? '' : `?${query}`}`, {
      method,
      headers: {
        ...signed,
        ...(method === 'POST' && { 'Content-Type': 'application/json' }),
        ...(id.startsWith(SAMPLE_PREFIX) && { 'X-Webhook-Test': 'true' }),
      },
      ...(method === 'POST' && { body: payload }),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    })
    await answer.arrayBuffer()
    return { status: answer.status, durationMs: Date.now() - startedAt }
  } catch (error) {
    const cause = (error as { cause?: { code?: string } }).cause?.code
    return { status: null, durationMs: Date.now() - startedAt, error: cause ?? (error as Error).name }
  }
}

/** Returns the secret of the profile, or of the credentials in the environment. It is made at first use, and kept. */
async function keptSecret({ io }: Context, { profile, profileName }: Connection): Promise<string> {
  const stored = await loadProfiles(io.env)
  const digest = createHash('sha256').update(profile.api_key).digest('hex')
  const known = profileName === undefined ? stored.listen_secrets?.[digest] : profile.listen_secret
  if (known !== undefined) return known
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const kept =
    profileName === undefined
      ? { listen_secrets: { ...stored.listen_secrets, [digest]: secret } }
      : { profiles: { ...stored.profiles, [profileName]: { ...profile, listen_secret: secret } } }
  await saveProfiles(io.env, { ...stored, ...kept })
  return secret
}
