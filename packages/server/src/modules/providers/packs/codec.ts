import { Type } from 'typebox'
import type { Infer } from '../../../http/codec.ts'
import { input, member, optionalMember } from '../../../http/codec.ts'
import { PROVIDER_CODE } from '../../../lib/input/codes.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { pattern, text } from '../../../lib/input/fields.ts'
import { PROVIDER_NAME } from '../connections/connections.rules.ts'
import type { Settings } from './types.ts'

const MEMBERS_MAX = 1_000

/** An object whose members somebody else checks. */
function objectOf<T>(
  message: string,
  isValue: (value: unknown) => boolean,
): Rule<Readonly<Record<string, T>>> {
  return {
    message,
    schema: { type: 'object', maxProperties: MEMBERS_MAX },
    read(value) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
      const values = Object.values(value)
      if (values.length > MEMBERS_MAX || !values.every(isValue)) return undefined
      return value as Readonly<Record<string, T>>
    },
  }
}

const isText = (value: unknown) => typeof value === 'string'
const TEXTS: Rule<Settings> = objectOf('must be a JSON object of names and texts', isText)
const RECORD = objectOf<unknown>('must be a JSON object', () => true)

const SETTING_MAX = 500
const SECRET_MAX = 10_000
const Texts = (description: string, maxLength: number) =>
  Type.Record(Type.String(), Type.String({ maxLength }), { description })
const code = member(PROVIDER_CODE, { description: 'Small letters, digits, _ and -; never changed' })
const settings = optionalMember(TEXTS, { schema: Texts('By the names that the pack has', SETTING_MAX) })

const secrets = optionalMember(TEXTS, {
  schema: Texts('By the names that the pack has; sealed, and never shown again', SECRET_MAX),
})
const Products = (description: string) => Type.Object({}, { additionalProperties: true, description })

/** Name of a pack, which is that of its folder. */
export const PACK_NAME = text(1, 40)

export const PACKED_INPUT = input({
  pack: member(PACK_NAME, { description: 'Name of a pack, as the list of packs has it' }),
  code,
  name: optionalMember(PROVIDER_NAME, { description: 'For people; the name of the pack when left out' }),
  settings,
  secrets,
  products: optionalMember(RECORD, { schema: Products('As `products` of a configuration') }),
})
export type PackedInput = Infer<typeof PACKED_INPUT>

export const PROVIDER = member(PROVIDER_CODE, {
  identifies: 'provider',
  option: { name: 'provider', value: 'CODE', help: "the provider's code" },
})

export const UPGRADE_INPUT = input({ code: PROVIDER, settings, secrets })
export type UpgradeInput = Infer<typeof UPGRADE_INPUT>

export const PRODUCTS_INPUT = input({
  code: PROVIDER,
  products: member(RECORD, {
    schema: Products('By our codes, as `products` of a configuration; null takes one away. Others stay'),
  }),
})
export type ProductsInput = Infer<typeof PRODUCTS_INPUT>

/** Name of a setting with its value, as an option has them. */
export const NAME_AND_VALUE = pattern('must be NAME=VALUE', /^[a-z][a-z0-9_]{0,49}=.{1,500}$/)
