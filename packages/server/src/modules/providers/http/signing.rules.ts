import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseDigits } from '../../../lib/input/fields.ts'
import { digestOf } from '../../../lib/secrets/digests.ts'
import type { ConfigProblem } from '../connections/connections.types.ts'
import type { Hmac, TimestampForm } from '../language/signature.rules.ts'
import { renderText } from '../language/template.rules.ts'
import type { Values } from '../language/types.ts'
import type { HttpConfig } from './config.rules.ts'

/** Returns the bytes of a key; undefined where the secret does not have the form that was said. */
export function keyOf({ key }: Pick<Hmac, 'key'>, secret: string): Buffer | undefined {
  if (key === 'text') return Buffer.from(secret)
  const text = key === 'whsec' ? secret.replace(/^whsec_/, '') : secret
  const bytes = Buffer.from(text, 'base64')
  return text !== '' && bytes.toString('base64') === text ? bytes : undefined
}

/** Lists the keys whose secrets do not have the form that was said. */
export function problemsOfKeys(
  { auth, callback }: Pick<HttpConfig, 'auth' | 'callback'>,
  secrets: Readonly<Record<string, string>>,
): readonly ConfigProblem[] {
  const proofs = [['auth', auth] as const, ['callback.verification', callback?.verification] as const]
  return proofs.flatMap(([path, proof]) =>
    proof?.type !== 'hmac' || keyOf(proof, secrets[proof.secret.secret] ?? '') !== undefined
      ? []
      : [{ path: `${path}.secret`, message: `is not Base64, as "key" says: ${proof.key}` }],
  )
}

/** Returns the header's value that proves the payload. */
export function signatureOf(hmac: Hmac, key: Buffer, values: Values): string {
  const digest = createHmac(hmac.algorithm, key).update(renderText(hmac.payload, values)).digest()
  return renderText(hmac.value, { signature: encode(digest, hmac.encoding) })
}

export function encode(digest: Buffer, encoding: Hmac['encoding']): string {
  switch (encoding) {
    case 'hex':
    case 'base64':
    case 'base64url':
      return digest.toString(encoding)
    case 'hex_upper':
      return digest.toString('hex').toUpperCase()
  }
}

export function timestampText(instant: Date, form: TimestampForm): string {
  switch (form) {
    case 'unix':
      return String(Math.floor(instant.getTime() / 1_000))
    case 'unix_ms':
      return String(instant.getTime())
    case 'iso':
      return instant.toISOString()
  }
}

/** Returns undefined when the text is not a timestamp. */
export function parseTimestampMs(text: string, form: TimestampForm): number | undefined {
  if (form === 'iso') {
    // A time without a zone would be read in this machine's zone.
    const instantMs = /T.*(Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
    return Number.isNaN(instantMs) ? undefined : instantMs
  }
  const number = parseDigits(text)
  return number !== undefined && form === 'unix' ? number * 1_000 : number
}

/** Compares in a time that reveals neither where they differ nor how long they are. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other))
}
