import { createHash, createHmac } from 'node:crypto'
import { isObject } from '../language/reading.rules.ts'
import type { CallbackRequest } from '../port/types.ts'
import type { BookValues } from './text.rules.ts'
import { writeContent } from './text.rules.ts'
import type { BookCallback, DigestMember, Sign } from './types.ts'

/** Makes a callback as the supplier would send it, about an order. Throws where a secret is not given. */
export function makeCallback(
  callback: BookCallback,
  values: BookValues,
  secrets: Readonly<Record<string, string>>,
  nowMs: number,
): CallbackRequest {
  const written = (text: string) => withSecrets(writeContent({ text, isJson: false }, values), secrets)
  const { digest } = callback
  const plain = writeContent(callback.content, values)
  const body = digest === null ? plain : withDigest(plain, digest, written(digest.of))
  const query = written(callback.query)
  const own = Object.entries(callback.headers).map(([name, text]) => [
    name.toLowerCase(),
    writeContent({ text, isJson: false }, values),
  ])
  const signed =
    callback.sign === null
      ? {}
      : signatureOf(callback.sign, secrets, { body, query }, nowMs - callback.ageS * 1_000)
  return { headers: { ...Object.fromEntries(own), ...signed }, query, body: Buffer.from(body) }
}

function secretIn(secrets: Readonly<Record<string, string>>, name: string): string {
  const secret = Object.hasOwn(secrets, name) ? secrets[name] : undefined
  if (secret === undefined) throw new Error(`there is no secret ${name} to sign with`)
  return secret
}

function withSecrets(text: string, secrets: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{secret\.(\w+)\}\}/g, (_, name: string) => secretIn(secrets, name))
}

function withDigest(body: string, { path, algorithm }: DigestMember, content: string): string {
  const digest = createHash(algorithm).update(content).digest('hex')
  return JSON.stringify(withMember(JSON.parse(body), path, digest))
}

function withMember(json: unknown, [name, ...rest]: readonly string[], value: string): unknown {
  if (name === undefined) return value
  const members = isObject(json) ? json : {}
  return { ...members, [name]: withMember(members[name], rest, value) }
}

function signatureOf(
  { header, secret, key: form, algorithm, encoding, payload, value, timestamp, isWrong }: Sign,
  secrets: Readonly<Record<string, string>>,
  words: Readonly<Record<'body' | 'query', string>>,
  atMs: number,
): Record<string, string> {
  const given = secretIn(secrets, secret)
  const key = isWrong ? `not ${given}` : given
  if (algorithm === null) return { [header.toLowerCase()]: key }
  const at = timestamp === null ? '' : timeText(timestamp.form, atMs)
  const text = filled(payload, { ...words, timestamp: at })
  const signature = createHmac(algorithm, bytesOf(key, form)).update(text).digest(encoding)
  return {
    ...(timestamp !== null && { [timestamp.header.toLowerCase()]: at }),
    [header.toLowerCase()]: filled(value, { signature }),
  }
}

function bytesOf(key: string, form: Sign['key']): Buffer {
  return form === 'text' ? Buffer.from(key) : Buffer.from(key.replace(/^whsec_/, ''), 'base64')
}

function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : place,
  )
}

function timeText(form: 'unix' | 'unix_ms' | 'iso', atMs: number): string {
  if (form === 'iso') return new Date(atMs).toISOString()
  return String(form === 'unix' ? Math.floor(atMs / 1_000) : atMs)
}
