import { randomInt } from 'node:crypto'
import type { Network } from '../../lib/addresses.ts'
import { networkToString, parseAddress, parseNetwork } from '../../lib/addresses.ts'
import { invalidFields, RequestError } from '../../lib/errors.ts'
import type { Rule } from '../../lib/input/fields.ts'
import { BOOLEAN, oneOf, pattern, readFields, text, wholeNumber } from '../../lib/input/fields.ts'
import { randomBase62 } from '../../lib/secrets/passwords.ts'
import type {
  Access,
  ApiKeyState,
  LoginStatus,
  OperatorRole,
  ResellerStatus,
  Scope,
  UserRole,
} from './types.ts'
import { OPERATOR_ROLES, SCOPES, USER_ROLES } from './types.ts'

export const LIVE_KEYS_MAX = 50
export const USERS_MAX = 200
export const NETWORKS_MAX = 200
export const GRACE_SECONDS_MAX = 30 * 24 * 60 * 60
export const PAGE_MAX = 1_000

// ── Fields ──

const ACCESS: Rule<Access> = {
  words: 'must be 0 (may pay) or 50 (read only)',
  schema: { type: 'integer', enum: [0, 50] },
  read: (value) => (value === 0 || value === 50 ? value : undefined),
}

const EMAIL_FORM = /^[^\s@<>(),;:"\\]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/

const EMAIL: Rule<string> = {
  words: 'must be an e-mail address of at most 254 characters',
  schema: { type: 'string', maxLength: 254, pattern: EMAIL_FORM.source },
  read(value) {
    const address = text(3, 254).read(value)
    return address !== undefined && EMAIL_FORM.test(address) ? address : undefined
  },
}

const OPERATOR_EMAIL: Rule<string> = {
  ...EMAIL,
  read: (value) => EMAIL.read(value)?.toLowerCase(),
}

/** Placeholder for the reseller's own address, which is known only after the reseller is read. */
export const RESELLERS_OWN = ''

const USER_EMAIL: Rule<string> = {
  ...EMAIL,
  read: (value) => (value === undefined ? RESELLERS_OWN : EMAIL.read(value)),
}

const USERNAME_FORM = /^[A-Za-z0-9._@+-]{3,100}$/

/** Returns the canonical spelling of a user name; undefined when it is not a valid name. */
export function normalizeUsername(value: unknown): string | undefined {
  return typeof value === 'string' && USERNAME_FORM.test(value) ? value.toLowerCase() : undefined
}

export function normalizeOperatorEmail(value: unknown): string | undefined {
  return OPERATOR_EMAIL.read(value)
}

const USERNAME: Rule<string> = {
  words: 'must be 3 to 100 characters out of a-z 0-9 . _ @ + -',
  schema: { type: 'string', pattern: USERNAME_FORM.source },
  read: normalizeUsername,
}

const PASSWORD: Rule<string> = {
  words: 'must be 10 to 200 characters long',
  schema: { type: 'string', minLength: 10, maxLength: 200 },
  read(value) {
    if (typeof value !== 'string') return undefined
    const length = [...value].length
    return length >= 10 && length <= 200 ? value : undefined
  },
}

/** Limit of the list's length. It is above the number of scopes because a scope may be repeated. */
const SCOPES_LISTED_MAX = 100

const SCOPE_LIST: Rule<readonly Scope[]> = {
  words: `must be one or more of ${SCOPES.join(', ')}`,
  schema: {
    type: 'array',
    minItems: 1,
    maxItems: SCOPES_LISTED_MAX,
    items: { type: 'string', enum: SCOPES },
  },
  read(value) {
    if (!Array.isArray(value) || value.length === 0 || value.length > SCOPES_LISTED_MAX) return undefined
    const known = SCOPES.filter((scope) => value.includes(scope))
    return value.every((each) => known.includes(each)) ? known : undefined
  },
}

const LABEL = text(0, 100)
const STATUS: Rule<ResellerStatus> = oneOf(['active', 'suspended'])
const LOGIN_STATUS: Rule<LoginStatus> = oneOf(['active', 'disabled'])
const USER_ROLE: Rule<UserRole> = oneOf(USER_ROLES)
const OPERATOR_ROLE: Rule<OperatorRole> = oneOf(OPERATOR_ROLES)

export const RESELLER_RULES = {
  name: text(1, 200),
  email: EMAIL,
  priceLevel: pattern('must be 1 to 40 characters out of A-Z 0-9 _', /^[A-Z0-9_]{1,40}$/),
  access: ACCESS,
  status: STATUS,
  topupRequiresApiKey: BOOLEAN,
} as const

export const NEW_RESELLER_RULES = {
  account: pattern('must be 4 to 20 digits', /^[0-9]{4,20}$/),
  ...RESELLER_RULES,
} as const

export const NEW_USER_RULES = {
  username: USERNAME,
  password: PASSWORD,
  email: USER_EMAIL,
  role: USER_ROLE,
} as const
export const USER_RULES = { password: PASSWORD, role: USER_ROLE, status: LOGIN_STATUS } as const

export const NEW_OPERATOR_RULES = {
  email: OPERATOR_EMAIL,
  name: text(1, 200),
  password: PASSWORD,
  role: OPERATOR_ROLE,
} as const
export const OPERATOR_RULES = { password: PASSWORD, role: OPERATOR_ROLE, status: LOGIN_STATUS } as const

export const NEW_KEY_RULES = { label: LABEL, scopes: SCOPE_LIST, withoutSecret: BOOLEAN } as const

export const ROTATION_RULES = { graceSeconds: wholeNumber(0, GRACE_SECONDS_MAX) } as const

export const PAGE_RULES = { limit: wholeNumber(1, PAGE_MAX) } as const

// ── Networks ──

/** Limit of characters; no address with its prefix is longer. */
const NETWORK_LENGTH_MAX = 50
export const NETWORK_TEXT = { schema: { type: 'string', maxLength: NETWORK_LENGTH_MAX } } as const

/** Returns the canonical spelling of an address or CIDR, with host bits cleared; undefined when it is neither. */
export function normalizeNetwork(value: string): string | undefined {
  // A zone names a network interface of one machine and says nothing about a caller elsewhere.
  const isLong = value.length > NETWORK_LENGTH_MAX
  const network = isLong || value.includes('%') ? undefined : parseNetwork(value)
  return network && networkToString(withoutMapping(network))
}

const MAPPED_PREFIX_BITS = 96

/** Turns ::ffff:10.0.0.0/104 into 10.0.0.0/8, because callers appear with their IPv4 address. */
function withoutMapping(network: Network): Network {
  const [address, prefix] = network
  const unmapped = parseAddress(address.toString())
  if (unmapped === undefined || unmapped.kind() === address.kind() || prefix < MAPPED_PREFIX_BITS)
    return network
  return [unmapped, prefix - MAPPED_PREFIX_BITS]
}

/** Returns every network in its canonical spelling, or throws an error that names each invalid one. */
export function readNetworks(values: readonly string[]): string[] {
  const networks: string[] = []
  const problems: string[] = []
  for (const value of values) {
    const network = normalizeNetwork(value)
    if (network === undefined) problems.push(`"${value}" is not an IPv4 or IPv6 address or CIDR`)
    else networks.push(network)
  }
  if (values.length === 0) problems.push('must name at least one address or CIDR')
  if (problems.length > 0) throw invalidFields({ network: problems })
  return networks
}

export function readLabel(value: string): string {
  return readFields({ label: LABEL }, { label: value }).label
}

// ── Keys ──

const KEY_LENGTH = 32

/** Prefix that names the environment of a key, so that a key used in the other environment is recognised. */
export function keyPrefix(environment: 'staging' | 'production'): string {
  return environment === 'production' ? 'wk_live_' : 'wk_stg_'
}

export function generateKey(environment: 'staging' | 'production'): string {
  return keyPrefix(environment) + randomBase62(KEY_LENGTH)
}

/** Context that a signing secret is sealed with. A secret copied to another key's row does not open. */
export function secretContext(key: string): string {
  return `api_key:${key}`
}

/** Returns seven digits of which the first is not 0. */
export function generateAccount(): string {
  return String(randomInt(1_000_000, 10_000_000))
}

/** Refuses a key that was replaced or ended: only an active key can be rotated. */
export function refuseRotation(state: ApiKeyState): void {
  if (state !== 'active') throw conflict('key_not_active', `This API key cannot be rotated: it is ${state}.`)
}

// ── Refusals ──

export function notFound(what: string): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText: `There is no such ${what}.` })
}

export function taken(field: string, publicText: string): RequestError {
  return new RequestError({ status: 409, code: 'taken', publicText, fields: { [field]: [publicText] } })
}

export function conflict(code: string, publicText: string): RequestError {
  return new RequestError({ status: 409, code, publicText })
}

export function limitReached(publicText: string): RequestError {
  return conflict('limit_reached', publicText)
}
