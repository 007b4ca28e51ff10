import { Type } from 'typebox'
import { columns, input, member, optionalMember, resource } from '../../http/codec.ts'
import { documentedAs } from '../../http/parameters.ts'
import { enumOf, Instant, orNull } from '../../http/schemas.ts'
import { NETWORK } from '../../lib/addresses.ts'
import type { Rule } from '../../lib/input/fields.ts'
import { ID } from '../../lib/input/ids.ts'
import { EXACT, required } from '../../lib/input/parameters.ts'
import { OF_RESELLER } from './resellers.codec.ts'
import { LABEL, NEW_KEY_RULES, ROTATION_RULES } from './rules.ts'
import type { AllowedNetwork, ApiKey, NewApiKey } from './types.ts'
import { API_KEY_STATES, SCOPES } from './types.ts'

// ── API keys ──

const SHARED = columns<ApiKey>()({
  label: [Type.String(), ({ label }) => label],
  scopes: [Type.Array(enumOf(SCOPES)), ({ scopes }) => [...scopes]],
  has_secret: [Type.Boolean(), ({ hasSecret }) => hasSecret],
  state: [enumOf(API_KEY_STATES), ({ state }) => state],
  expires_at: [orNull(Instant), ({ expiresAt }) => expiresAt?.toISOString() ?? null],
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

/** Key as operators and the audit log show it: they may read about a key, but not use it. */
export const HINTED_KEY = resource<ApiKey>()('Reseller API key', {
  id: [Type.String(), ({ id }) => String(id)],
  hint: [
    Type.String({ description: 'Its beginning and its end; the key itself is its owner’s' }),
    ({ key }) => `${BEGINNING.exec(key)?.[0] ?? ''}…${key.slice(-ENDING)}`,
  ],
  ...SHARED,
})

const WHAT = 'API key'

/** Name of one key: its id in the APIs, the key itself at the machine. */
const ONE_KEY = {
  account: OF_RESELLER,
  id: optionalMember(ID, { identifies: WHAT }),
  key: optionalMember(EXACT, { identifies: WHAT, option: { help: 'the API key, wk_…' } }),
}

export const KEY_INPUT = input(ONE_KEY)

export const NEW_KEY_INPUT = input({
  account: OF_RESELLER,
  label: optionalMember(NEW_KEY_RULES.label, {
    option: { value: 'TEXT', help: 'the purpose of the key, up to 100 characters' },
  }),
  scopes: optionalMember(NEW_KEY_RULES.scopes, {
    description: 'Left out: all of them',
  }),
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
