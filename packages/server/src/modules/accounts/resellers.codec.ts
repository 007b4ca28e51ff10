import { Type } from 'typebox'
import type { Infer } from '../../http/codec.ts'
import { input, member, optionalMember, resource } from '../../http/codec.ts'
import { enumOf, Instant } from '../../http/schemas.ts'
import { ACCOUNT_NUMBER, PRICE_LEVEL } from '../../lib/input/codes.ts'
import type { Rule } from '../../lib/input/fields.ts'
import { BOOLEAN, isPlainAscii, oneOf, readText, text, wholeNumber } from '../../lib/input/fields.ts'
import { MAIL_ADDRESS } from '../../lib/mail-addresses.ts'
import type { Access, Reseller } from './types.ts'
import { RESELLER_STATUSES } from './types.ts'

// ── A reseller as others name it ──

/** Form of an account in an address or an option. One that no reseller has is answered with the nearest names. */
const KNOWN_ACCOUNT: Rule<string> = {
  ...ACCOUNT_NUMBER,
  read: (value) => (typeof value === 'string' && isPlainAscii(value) ? value : undefined),
  parse: (given) => (isPlainAscii(given) ? given : undefined),
}

/** Reseller that an act is about. In the portal it is always the session's. */
export const OF_RESELLER = member(KNOWN_ACCOUNT, {
  identifies: 'reseller',
  description: "The reseller's account number",
  option: { name: 'reseller', value: 'ACCOUNT', help: "the reseller's account number" },
})

// ── Attributes ──

const ACCESS: Rule<Access> = {
  message: 'must be 0 (may pay) or 50 (read only)',
  schema: { type: 'integer', enum: [0, 50] },
  read: readAccess,
  parse: (given) => readAccess(readText(wholeNumber(0, 50), given)),
}

function readAccess(value: unknown): Access | undefined {
  return value === 0 || value === 50 ? value : undefined
}

const AccessSchema = Type.Union([Type.Literal(0), Type.Literal(50)], {
  description: '0: may pay; 50: read only',
})

/** Attributes of a reseller that can be changed. */
export const RESELLER_RULES = {
  name: text(1, 200),
  email: MAIL_ADDRESS,
  priceLevel: PRICE_LEVEL,
  access: ACCESS,
  status: oneOf(RESELLER_STATUSES),
  topupRequiresApiKey: BOOLEAN,
  duplicateWindowSeconds: wholeNumber(0, 86_400),
} as const

/** Attributes of a new reseller, where nothing else is asked for. */
export const RESELLER_DEFAULTS = {
  access: 0,
  status: 'active',
  topupRequiresApiKey: false,
  duplicateWindowSeconds: 0,
} as const

/** A reseller as operators and commands see it; the portal shows a part of it. */
export const RESELLER = resource<Reseller>()('Reseller', {
  account: [Type.String(), ({ account }) => account],
  name: [Type.String(), ({ name }) => name],
  email: [Type.String(), ({ email }) => email],
  price_level: [Type.String(), ({ priceLevel }) => priceLevel],
  access: [AccessSchema, ({ access }) => access],
  status: [enumOf(RESELLER_STATUSES), ({ status }) => status],
  topup_requires_api_key: [
    Type.Boolean({ description: 'Payments with a bearer token are refused' }),
    ({ topupRequiresApiKey }) => topupRequiresApiKey,
  ],
  duplicate_window_seconds: [
    Type.Integer({ description: 'Seconds in which the same payment again is refused; 0: never' }),
    (reseller) => reseller.duplicateWindowSeconds,
  ],
  demo: [Type.Boolean(), ({ demo }) => demo],
  created_at: [Instant, ({ createdAt }) => createdAt.toISOString()],
  updated_at: [Instant, ({ updatedAt }) => updatedAt.toISOString()],
})

const { name, email, priceLevel, access, status, topupRequiresApiKey, duplicateWindowSeconds } =
  RESELLER_RULES

const DUPLICATE_WINDOW = {
  description: 'Seconds in which the same product, account and amount is refused, 0 to 86,400; 0: never',
  option: { value: 'SECONDS', help: 'how long the same payment again is refused; 0: never' },
} as const

const NAME_HINTS = { option: { value: 'TEXT', help: 'name, 1 to 200 characters' } }
const EMAIL_HINTS = { option: { value: 'ADDRESS', help: 'where mail for the reseller goes' } }
const LEVEL_HINTS = { option: { value: 'CODE', help: 'name of its price list' } }

export const NEW_RESELLER_INPUT = input({
  account: optionalMember(ACCOUNT_NUMBER, {
    description: 'Left out: a free one of 7 digits',
    option: { value: 'DIGITS', help: 'account number (default: a free one of 7 digits)' },
  }),
  name: member(name, NAME_HINTS),
  email: member(email, EMAIL_HINTS),
  priceLevel: member(priceLevel, LEVEL_HINTS),
  access: optionalMember(access, {
    schema: AccessSchema,
    option: { value: '0|50', help: '0: may pay (the default); 50: read only' },
  }),
})

export const RESELLER_CHANGES_INPUT = input({
  account: OF_RESELLER,
  name: optionalMember(name, NAME_HINTS),
  email: optionalMember(email, EMAIL_HINTS),
  priceLevel: optionalMember(priceLevel, LEVEL_HINTS),
  access: optionalMember(access, {
    schema: AccessSchema,
    option: { value: '0|50', help: '0: may pay; 50: read only' },
  }),
  status: optionalMember(status, {
    schema: enumOf(RESELLER_STATUSES, 'suspended: new payments are refused'),
  }),
  topupRequiresApiKey: optionalMember(topupRequiresApiKey),
  duplicateWindowSeconds: optionalMember(duplicateWindowSeconds, DUPLICATE_WINDOW),
})
export type ResellerChanges = Partial<Omit<Infer<typeof RESELLER_CHANGES_INPUT>, 'account'>>

// ── Settings that a reseller decides itself ──

export const SETTINGS_INPUT = input({
  account: OF_RESELLER,
  topupRequiresApiKey: optionalMember(topupRequiresApiKey, {
    option: { value: 'on|off', help: 'on: payments with a legacy bearer token are refused' },
  }),
  duplicateWindowSeconds: optionalMember(duplicateWindowSeconds, DUPLICATE_WINDOW),
})

/** Settings as a member sees them, from this address. */
export const SETTINGS = resource<Reseller, SettingsView>()('Account settings', {
  account: [Type.String(), ({ account }) => account],
  name: [Type.String(), ({ name }) => name],
  email: [Type.String(), ({ email }) => email],
  price_level: [Type.String(), ({ priceLevel }) => priceLevel],
  status: [Type.String(), ({ status }) => status],
  access: [Type.Integer({ description: '0: may pay. 50: read only' }), ({ access }) => access],
  topup_requires_api_key: [
    Type.Boolean({ description: 'Only signed requests may pay: neither bearer tokens nor this portal' }),
    ({ topupRequiresApiKey }) => topupRequiresApiKey,
  ],
  duplicate_window_seconds: [
    Type.Integer({ description: 'Seconds in which the same payment again is refused; 0: never' }),
    (reseller) => reseller.duplicateWindowSeconds,
  ],
  environment: [enumOf(['staging', 'production']), (_, { environment }) => environment],
  your_address: [
    Type.String({ description: 'Your address, as the allowlist would judge it' }),
    (_, { address }) => address,
  ],
  sender_addresses: [
    Type.Array(Type.String(), { description: 'Sender addresses of callbacks and webhooks' }),
    (_, { senderAddresses }) => [...senderAddresses],
  ],
})

type SettingsView = {
  readonly environment: 'staging' | 'production'
  readonly address: string
  readonly senderAddresses: readonly string[]
}
