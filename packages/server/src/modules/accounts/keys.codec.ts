import { Type } from 'typebox'
import { columns, input, member, optionalMember, resource } from '../../http/codec.ts'
import { documentedAs } from '../../http/parameters.ts'
import { enumOf, Instant, orNull } from '../../http/schemas.ts'
import { NETWORK } from '../../lib/addresses.ts'
import type { Rule } from '../../lib/input/fields.ts'
import { ID } from '../../lib/input/ids.ts'
import { EXACT, required } from '../../lib/input/parameters.ts'
import { AMOUNT_MAX, formatMoney, MONEY_PATTERN, UNITS_PER_RINGGIT } from '../../lib/money.ts'
import { OF_RESELLER } from './resellers.codec.ts'
import { KEY_PURPOSE_RULES, LABEL, NEW_KEY_RULES, ROTATION_RULES } from './rules.ts'
import type { AllowedNetwork, ApiKey, CountedKey, KeyPurpose, KeySums, NewApiKey } from './types.ts'
import { API_KEY_STATES, SCOPES } from './types.ts'

// ── API keys ──

const CAPS = {
  maxAmount: 'Highest cost of one payment, in ringgit',
  dailyCap: 'Highest sum of cost of a day, GMT+8',
  monthlyCap: 'Highest sum of cost of a month, GMT+8',
} as const
const PRODUCTS = 'Codes of products, categories and groups that it may sell'
const NETWORKS = 'Addresses and CIDRs that may use it'

const cap = (name: keyof typeof CAPS) =>
  [
    orNull(Type.String(), `${CAPS[name]}; null: none`),
    (purpose: KeyPurpose) => (purpose[name] === null ? null : formatMoney(purpose[name])),
  ] as const

/** Bounds of a key, in every view of it. */
export const PURPOSE = columns<KeyPurpose>()({
  scopes: [Type.Array(enumOf(SCOPES)), ({ scopes }) => [...scopes]],
  products: [
    orNull(Type.Array(Type.String()), `${PRODUCTS}; null: all`),
    ({ products }) => products && [...products],
  ],
  max_amount: cap('maxAmount'),
  daily_cap: cap('dailyCap'),
  monthly_cap: cap('monthlyCap'),
  ip_allowlist: [
    orNull(Type.Array(Type.String()), `${NETWORKS}; null: all that the account allows`),
    ({ networks }) => networks && [...networks],
  ],
})

const END = columns<ApiKey>()({
  expires_at: [
    orNull(Instant, 'Its end, or that of its grace, whichever comes first; null: none'),
    ({ expiresAt }) => expiresAt?.toISOString() ?? null,
  ],
})

const used = (amount: KeySums['today']) => (amount === null ? null : formatMoney(amount))

const SUMS = columns<{ readonly sums: KeySums }>()({
  used_today: [
    orNull(
      Type.String(),
      'Cost of its payments of today, GMT+8; null: it has no cap, or they are being counted',
    ),
    ({ sums }) => used(sums.today),
  ],
  used_this_month: [
    orNull(Type.String(), 'Cost of its payments of this month; null: not counted'),
    ({ sums }) => used(sums.thisMonth),
  ],
})

/** A key as the program that uses it sees it. */
export const OWN_KEY = resource<CountedKey>()('Own API key', {
  label: [Type.String(), ({ label }) => label],
  ...PURPOSE,
  ...SUMS,
  resets_at: [
    Type.String({
      format: 'date-time',
      description: 'When the day ends, GMT+8, and used_today begins at zero',
    }),
    ({ sums }) => sums.resetsAt.toISOString(),
  ],
  ...END,
})

export const OwnKeyResponse = Type.Object({ data: OWN_KEY.schema })

const SHARED = columns<ApiKey>()({
  label: [Type.String(), ({ label }) => label],
  ...PURPOSE,
  note: [Type.String(), ({ note }) => note],
  has_secret: [Type.Boolean(), ({ hasSecret }) => hasSecret],
  state: [enumOf(API_KEY_STATES), ({ state }) => state],
  ...END,
  revoked_at: [orNull(Instant), ({ revokedAt }) => revokedAt?.toISOString() ?? null],
  created_at: [Instant, ({ createdAt }) => createdAt.toISOString()],
  last_used_at: [
    orNull(Instant, 'Last proven request with it, to about a minute; null: there was none'),
    ({ lastUsedAt }) => lastUsedAt?.toISOString() ?? null,
  ],
})

const OWN = columns<ApiKey>()({
  id: [Type.String(), ({ id }) => String(id)],
  key: [Type.String(), ({ key }) => key],
  ...SHARED,
})

/** Key as its owner sees it. */
export const KEY = resource<ApiKey>()('API key', OWN)

/** Key in the list of its owner. */
export const LISTED_KEY = resource<CountedKey>()('Listed API key', { ...OWN, ...SUMS })

/** New key with its secret, which is shown only this once. */
export const NEW_KEY = resource<NewApiKey>()('New API key', {
  ...OWN,
  signing_secret: [
    orNull(Type.String(), 'Base64 of 32 bytes; shown this once'),
    ({ signingSecret }) => signingSecret,
  ],
})

const ENDING = 4
const BEGINNING = /^(?:wk_[a-z]+_)?.{0,4}/

const HINTED = columns<ApiKey>()({
  id: [Type.String(), ({ id }) => String(id)],
  hint: [
    Type.String({ description: 'Its beginning and its end; the key itself is its owner’s' }),
    ({ key }) => `${BEGINNING.exec(key)?.[0] ?? ''}…${key.slice(-ENDING)}`,
  ],
  ...SHARED,
})

/** Key as operators and the audit log show it: they may read about a key, but not use it. */
export const HINTED_KEY = resource<ApiKey>()('Reseller API key', HINTED)

export const LISTED_HINTED_KEY = resource<CountedKey>()('Listed reseller API key', { ...HINTED, ...SUMS })

const WHAT = 'API key'

/** Name of one key: its id in the APIs, the key itself at the machine. */
const ONE_KEY = {
  account: OF_RESELLER,
  id: optionalMember(ID, { identifies: WHAT }),
  key: optionalMember(EXACT, { identifies: WHAT, option: { help: 'the API key, wk_…' } }),
}

export const KEY_INPUT = input(ONE_KEY)

const Cap = Type.Union([
  Type.String({ pattern: MONEY_PATTERN, maxLength: 20 }),
  Type.Number({ minimum: 0, maximum: Number(AMOUNT_MAX / UNITS_PER_RINGGIT) }),
  Type.Null(),
])
const capOf = (name: keyof typeof CAPS, help: string) =>
  optionalMember(KEY_PURPOSE_RULES[name], {
    schema: { ...Cap, description: `${CAPS[name]}, as text or a number; null: none` },
    option: { value: 'RINGGIT', help },
  })

const Texts = (rule: Rule<unknown>, description: string) =>
  orNull(documentedAs(rule, Type.Array(Type.String())), description)

/** Bounds that may be given, at the beginning and later. */
const GIVEN_PURPOSE = {
  label: optionalMember(NEW_KEY_RULES.label, {
    option: { value: 'TEXT', help: 'the name of the key, up to 100 characters' },
  }),
  products: optionalMember(KEY_PURPOSE_RULES.products, {
    schema: Texts(KEY_PURPOSE_RULES.products, `${PRODUCTS}; null: all`),
    option: { name: 'product', value: 'CODE', help: 'a product, category or group that it may sell' },
  }),
  maxAmount: capOf('maxAmount', 'highest cost of one payment'),
  dailyCap: capOf('dailyCap', 'highest sum of cost of a day, GMT+8'),
  monthlyCap: capOf('monthlyCap', 'highest sum of cost of a month, GMT+8'),
  expiresAt: optionalMember(KEY_PURPOSE_RULES.expiresAt, {
    schema: orNull(
      documentedAs(KEY_PURPOSE_RULES.expiresAt, Type.String()),
      'Its end, with a zone; null: none',
    ),
    option: { name: 'expires', value: 'TIME', help: 'its end, such as 2026-12-31T22:00:00+08:00' },
  }),
  ipAllowlist: optionalMember(KEY_PURPOSE_RULES.ipAllowlist, {
    schema: Texts(KEY_PURPOSE_RULES.ipAllowlist, `${NETWORKS}, inside the account's own; null: all of those`),
    option: { name: 'address', value: 'CIDR', help: 'an address or CIDR that may use it' },
  }),
  note: optionalMember(KEY_PURPOSE_RULES.note, {
    option: { value: 'TEXT', help: 'what it is for, up to 500 characters' },
  }),
}

export const KEY_CHANGES_INPUT = input({
  ...ONE_KEY,
  scopes: optionalMember(KEY_PURPOSE_RULES.scopes),
  ...GIVEN_PURPOSE,
})

export const NEW_KEY_INPUT = input({
  account: OF_RESELLER,
  scopes: optionalMember(NEW_KEY_RULES.scopes, {
    description: 'Left out: all of them',
  }),
  ...GIVEN_PURPOSE,
  withoutSecret: optionalMember(NEW_KEY_RULES.withoutSecret, {
    option: { help: 'a key that cannot sign yet; `key rotate` gives it a secret' },
  }),
})

const GRACE = 'How long the old key works beside the new one; 0 or left out: it ends at once'

export const ROTATION_INPUT = input({
  ...ONE_KEY,
  graceSeconds: optionalMember(ROTATION_RULES.graceSeconds, {
    schema: documentedAs(ROTATION_RULES.graceSeconds, Type.Integer({ minimum: 0, description: GRACE })),
    option: {
      value: 'SECONDS',
      help: 'how long the old key goes on working, up to 30 days (default 0: it stops at once)',
    },
  }),
})

// ── IP allowlist ──

export const ALLOWED_NETWORK = resource<AllowedNetwork>()('Allowed network', {
  network: [Type.String(), ({ network }) => network],
  label: [Type.String(), ({ label }) => label],
  created_at: [Instant, ({ createdAt }) => createdAt.toISOString()],
})

/** Any texts: the change itself names each that is no network. */
const NETWORK_TEXTS: Rule<readonly string[]> = {
  message: 'must be addresses or CIDRs',
  schema: { type: 'array' },
  read: (value) =>
    Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined,
}

export const NETWORKS_INPUT = input({
  account: OF_RESELLER,
  networks: member(NETWORK_TEXTS, {
    schema: Type.Array(documentedAs(NETWORK, Type.String()), {
      minItems: 1,
      maxItems: 200,
      description: 'Addresses or CIDRs',
    }),
    option: { name: 'network', value: 'CIDR', help: 'an IPv4 or IPv6 address or CIDR' },
  }),
  label: optionalMember(LABEL, {
    option: { value: 'TEXT', help: 'what the addresses are, up to 100 characters' },
  }),
})

export const NETWORK_INPUT = input({
  account: OF_RESELLER,
  network: member(required('network', EXACT), { option: { value: 'CIDR', help: 'the entry' } }),
})

export const ALLOWLIST_INPUT = input({ account: OF_RESELLER })
