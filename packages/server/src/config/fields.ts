import type { FailpointAction, FailpointName } from '../lib/failpoints.ts'
import { FAILPOINT_SIGNALS, FAILPOINTS } from '../lib/failpoints.ts'
import type { Rule } from '../lib/input/fields.ts'
import { oneOf, readText, textRule, wholeNumber } from '../lib/input/fields.ts'
import { URL_LENGTH_MAX, WEB_URL } from '../lib/input/urls.ts'
import type { MasterKey } from '../lib/secrets/sealing.ts'
import { isGuessable, parseMasterKey } from '../lib/secrets/sealing.ts'

// Fields that only the environment has.

// ── Database ──

const SCHEMA_FORM = /^[a-z][a-z0-9]{0,23}$/

const DATABASE_MESSAGE = 'must be an address such as postgres://user:password@host:5432/database'

/** Rule for the address of a PostgreSQL server. */
export const DATABASE_ADDRESS: Rule<string> = textRule({
  message: DATABASE_MESSAGE,
  schema: { maxLength: URL_LENGTH_MAX },
  parse: (text) => (databaseUrlProblem(text) === undefined ? text : undefined),
  messageAbout: (text) => databaseUrlProblem(text) ?? DATABASE_MESSAGE,
})

/** Returns the problem with a database's address without quoting it: a password may be anywhere in a wrong one. */
function databaseUrlProblem(text: string): string | undefined {
  if (text.length > URL_LENGTH_MAX || !/^postgres(ql)?:\/\//.test(text)) return DATABASE_MESSAGE
  // The authority ends at the first "/", "?" or "#". One inside a password cuts it short, and the rest of the password
  // would be taken for the name of the database.
  const afterAuthority = text.replace(/^\w+:\/\//, '').replace(/^[^/?#]*/, '')
  if (afterAuthority.includes('@') || afterAuthority.includes('#')) {
    return 'user and password must be percent-encoded: "/" as %2F, "#" as %23, "?" as %3F, "@" as %40'
  }
  return URL.canParse(text) ? undefined : DATABASE_MESSAGE
}

/** Rule for the name of a schema. It needs no quotes anywhere, and no mark that separates it in a key or a channel. */
export const SCHEMA_NAME: Rule<string> = textRule({
  message: 'must be 1 to 24 of a to z and 0 to 9, and begin with a letter',
  schema: { maxLength: 24, pattern: SCHEMA_FORM.source },
  parse: (text) => (SCHEMA_FORM.test(text) ? text : undefined),
})

// ── Master key ──

const KEY_MESSAGE = 'must be Base64 of exactly 32 bytes'

export const MASTER_KEY: Rule<MasterKey> = textRule({
  message: KEY_MESSAGE,
  schema: { contentEncoding: 'base64', maxLength: 44 },
  parse(text) {
    const key = parseMasterKey(text)
    return key === undefined || isGuessable(key) ? undefined : key
  },
  messageAbout: (text) =>
    parseMasterKey(text) === undefined ? KEY_MESSAGE : 'is not random; make it with: openssl rand -base64 32',
})

// ── Mail ──

/** Rule for the address of a mail server. */
export const SMTP_URL: Rule<string> = textRule({
  message: 'must be an address such as smtps://user:password@host:465 or smtp://host:587',
  schema: { maxLength: URL_LENGTH_MAX },
  parse: (text) => (isSmtpUrl(text) ? text : undefined),
})

function isSmtpUrl(text: string): boolean {
  if (text.length > URL_LENGTH_MAX || !URL.canParse(text)) return false
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(text)
  const isBare = hostname !== '' && /^\/?$/.test(pathname) && search === '' && hash === ''
  return /^smtps?:$/.test(protocol) && isBare && isDecodable(username) && isDecodable(password)
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

// ── Alerts ──

const PREFIX = 'whsec_'
const SECRET_BYTES_MIN = 24
const SECRET_BYTES_MAX = 64

export const ALERT_WEBHOOK: Rule<string> = textRule({
  message: 'must be an https address without user, password or fragment (http in staging alone)',
  schema: { format: 'uri', maxLength: URL_LENGTH_MAX },
  parse(text) {
    const url = WEB_URL.read(text) === undefined ? undefined : new URL(text)
    return url?.username === '' && url.password === '' && url.hash === '' ? text : undefined
  },
})

export const ALERT_WEBHOOK_SECRET: Rule<string> = textRule({
  message: `must be ${PREFIX} and Base64 of ${SECRET_BYTES_MIN} to ${SECRET_BYTES_MAX} random bytes`,
  schema: { maxLength: 100 },
  parse: (text) => (isSecret(text) ? text : undefined),
})

function isSecret(text: string): boolean {
  const encoded = text.slice(PREFIX.length)
  const bytes = Buffer.from(encoded, 'base64')
  const isWhole = withoutPadding(bytes.toString('base64')) === withoutPadding(encoded)
  return (
    text.startsWith(PREFIX) && isWhole && bytes.length >= SECRET_BYTES_MIN && bytes.length <= SECRET_BYTES_MAX
  )
}

function withoutPadding(base64: string): string {
  return base64.replace(/=+$/, '')
}

// ── Traces ──

export const TRACES_URL: Rule<string> = textRule({
  message: 'must be an http or https address without user, password or fragment',
  schema: { format: 'uri', maxLength: URL_LENGTH_MAX },
  parse(text) {
    const url = WEB_URL.read(text) === undefined ? undefined : new URL(text)
    return url?.username === '' && url.password === '' && url.hash === '' ? text : undefined
  },
})

// ── Crash tests ──

/** Place for crash tests: the name where the process ends or stops, and at which pass. */
export type FailpointConfig = {
  readonly name: FailpointName
  readonly times: number
  readonly action: FailpointAction
}

const NAME = oneOf(FAILPOINTS)
const TIMES = wholeNumber(1, 999_999)
const ACTION = oneOf(Object.keys(FAILPOINT_SIGNALS) as FailpointAction[])

export const FAILPOINT: Rule<FailpointConfig> = textRule({
  message: `${NAME.message}, and may end in :times or :times:stop`,
  schema: { maxLength: 100 },
  parse(text) {
    const [name = '', times = '1', action = 'kill'] = text.split(':')
    const read = { name: NAME.read(name), times: readText(TIMES, times), action: ACTION.read(action) }
    const isWhole = read.name !== undefined && read.times !== undefined && read.action !== undefined
    return isWhole ? (read as FailpointConfig) : undefined
  },
})
