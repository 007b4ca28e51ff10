import { randomInt } from 'node:crypto'
import { isWithin, NETWORK, networkToString, parseNetwork } from '../../lib/addresses.ts'
import { INSTANT } from '../../lib/dates.ts'
import { invalidFields, RequestError } from '../../lib/errors.ts'
import { PRODUCT_CODE } from '../../lib/input/codes.ts'
import type { Rule } from '../../lib/input/fields.ts'
import {
  arrayOf,
  BOOLEAN,
  hasLength,
  LIST_LIMIT,
  nullable,
  oneOf,
  pattern,
  readFields,
  text,
  textRule,
  wholeNumber,
} from '../../lib/input/fields.ts'
import { MAIL_ADDRESS } from '../../lib/mail-addresses.ts'
import type { Amount } from '../../lib/money.ts'
import { AMOUNT_MAX, parseMoney } from '../../lib/money.ts'
import { randomBase62 } from '../../lib/secrets/passwords.ts'
import type { ApiKeyState, KeyPurpose, LoginStatus, OperatorRole, Scope, UserRole } from './types.ts'
import { LOGIN_STATUSES, OPERATOR_ROLES, SCOPES, USER_ROLES } from './types.ts'

export const LIVE_KEYS_MAX = 50
export const USERS_MAX = 200
export const NETWORKS_MAX = 200
export const GRACE_SECONDS_MAX = 30 * 24 * 60 * 60

// ── Fields ──

const OPERATOR_EMAIL: Rule<string> = {
  ...MAIL_ADDRESS,
  read: (value) => MAIL_ADDRESS.read(value)?.toLowerCase(),
}

/** Placeholder for the reseller's own address, which is known only after the reseller is read. */
export const RESELLERS_OWN = ''

const USER_EMAIL: Rule<string> = {
  ...MAIL_ADDRESS,
  read: (value) => (value === undefined ? RESELLERS_OWN : MAIL_ADDRESS.read(value)),
}

const USERNAME_FORM = pattern(
  'must be 3 to 100 characters out of a-z 0-9 . _ @ + -',
  /^[A-Za-z0-9._@+-]{3,100}$/,
)

const USERNAME: Rule<string> = {
  ...USERNAME_FORM,
  read: (value) => USERNAME_FORM.read(value)?.toLowerCase(),
}

/** Returns the canonical spelling of a user name; undefined when it is not a valid name. */
export function normalizeUsername(value: unknown): string | undefined {
  return USERNAME.read(value)
}

export function normalizeOperatorEmail(value: unknown): string | undefined {
  return OPERATOR_EMAIL.read(value)
}

const PASSWORD_LENGTH_MIN = 10
export const PASSWORD_LENGTH_MAX = 200

const PASSWORD: Rule<string> = textRule({
  message: `must be ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters long`,
  schema: { minLength: PASSWORD_LENGTH_MIN, maxLength: PASSWORD_LENGTH_MAX },
  parse: (given) => (hasLength(given, PASSWORD_LENGTH_MIN, PASSWORD_LENGTH_MAX) ? given : undefined),
})

/** Limit of the list's length. It is above the number of scopes because a scope may be repeated. */
const SCOPES_LISTED_MAX = 100

const SCOPE_LIST: Rule<readonly Scope[]> = {
  message: `must be one or more of ${SCOPES.join(', ')}`,
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

export const LABEL = text(0, 100)
const LOGIN_STATUS: Rule<LoginStatus> = oneOf(LOGIN_STATUSES)
const USER_ROLE: Rule<UserRole> = oneOf(USER_ROLES)
const OPERATOR_ROLE: Rule<OperatorRole> = oneOf(OPERATOR_ROLES)

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

const KEY_PRODUCTS_MAX = 200
const KEY_NETWORKS_MAX = 50

/** Cap of a key, as text or a number. Zero lets nothing pass. */
const CAP: Rule<Amount> = {
  message: 'must be a plain decimal from 0 to 1000000000 with up to 4 decimals, such as 200.00',
  schema: { type: 'string' },
  read(value) {
    const amount = typeof value === 'string' || typeof value === 'number' ? parseMoney(`${value}`) : undefined
    return amount !== undefined && amount <= AMOUNT_MAX ? amount : undefined
  },
}

const NETWORK_SPELLING: Rule<string> = {
  message: NETWORK.message,
  schema: NETWORK.schema,
  read: (value) => (typeof value === 'string' ? normalizeNetwork(value) : undefined),
}

/** Bounds of a key, by their names on the wire. null takes one away. */
export const KEY_PURPOSE_RULES = {
  scopes: SCOPE_LIST,
  products: nullable(someOf(PRODUCT_CODE, KEY_PRODUCTS_MAX)),
  maxAmount: nullable(CAP),
  dailyCap: nullable(CAP),
  monthlyCap: nullable(CAP),
  expiresAt: nullable(INSTANT),
  ipAllowlist: nullable(someOf(NETWORK_SPELLING, KEY_NETWORKS_MAX)),
  note: text(0, 500),
} as const

/** Rule for a list without repeats that is not empty: an empty one would be a key for nothing. */
function someOf(item: Rule<string>, itemsMax: number): Rule<readonly string[]> {
  const list = arrayOf(item, itemsMax)
  return {
    message: `must be a list of 1 to ${itemsMax}, each of which ${item.message}`,
    schema: { ...list.schema, minItems: 1 },
    read(value) {
      const items = list.read(value)
      return items === undefined || items.length === 0 ? undefined : [...new Set(items)]
    },
  }
}

export const NEW_KEY_RULES = { label: LABEL, scopes: SCOPE_LIST, withoutSecret: BOOLEAN } as const

export const ROTATION_RULES = { graceSeconds: wholeNumber(0, GRACE_SECONDS_MAX) } as const

export const PAGE_RULES = { limit: LIST_LIMIT } as const

// ── Networks ──

/** Returns the canonical spelling of an address or CIDR, with host bits cleared; undefined when it is neither. */
export function normalizeNetwork(value: string): string | undefined {
  const network = NETWORK.read(value)
  return network && networkToString(network)
}

/** Returns every network in its canonical spelling, or throws an error that names each invalid one. */
export function readNetworks(values: readonly string[]): string[] {
  const networks: string[] = []
  const problems: string[] = []
  for (const value of values) {
    const network = normalizeNetwork(value)
    if (network === undefined) problems.push(`"${value}" ${NETWORK.message}`)
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

/** Generates a key. `group` is the name of the group of resellers; the first group's keys have none. */
export function generateKey(environment: 'staging' | 'production', group = ''): string {
  return keyPrefix(environment) + (group === '' ? '' : `${group}_`) + randomBase62(KEY_LENGTH)
}

const KEY_OF_GROUP = /^wk_(?:live|stg)_([a-z][a-z0-9]*)_/

/** Returns the group that the first characters of a key name; undefined: the first one. */
export function groupOfKey(key: string): string | undefined {
  return KEY_OF_GROUP.exec(key)?.[1]
}

/** Context that a signing secret is sealed with. A secret copied to another key's row does not open. */
export function secretContext(key: string): string {
  return `api_key:${key}`
}

/** Returns seven digits of which the first is not 0. */
export function generateAccount(): string {
  return String(randomInt(1_000_000, 10_000_000))
}

/**
 * Tells whether a change of bounds lets a key do anything that it could not do before. Names and notes let it do nothing.
 * `covered`: those of its new products that lie in the earlier ones.
 */
export function widensKey(
  before: KeyPurpose,
  after: KeyPurpose,
  covered: readonly string[] = before.products ?? [],
): boolean {
  const exceeds = (given: Amount | null, bound: Amount | null) =>
    bound !== null && (given === null || given > bound)
  return (
    after.scopes.some((scope) => !before.scopes.includes(scope)) ||
    (before.products !== null && !isSubset(after.products, covered)) ||
    exceeds(after.maxAmount, before.maxAmount) ||
    exceeds(after.dailyCap, before.dailyCap) ||
    exceeds(after.monthlyCap, before.monthlyCap) ||
    (before.endsAt !== null && (after.endsAt === null || after.endsAt > before.endsAt)) ||
    (before.networks !== null &&
      (after.networks === null || listOutside(after.networks, before.networks).length > 0))
  )
}

function isSubset(given: readonly string[] | null, of: readonly string[]): boolean {
  return given?.every((each) => of.includes(each)) ?? false
}

/** Lists the networks that lie in none of the others. */
export function listOutside(networks: readonly string[], others: readonly string[]): string[] {
  const outer = others.map(parseNetwork).filter((each) => each !== undefined)
  return networks.filter((each) => {
    const network = parseNetwork(each)
    return network === undefined || !outer.some((other) => isWithin(network, other))
  })
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
