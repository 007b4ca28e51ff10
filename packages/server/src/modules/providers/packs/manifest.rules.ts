import { AMOUNT, listOf, matching } from '../books/reading.rules.ts'
import type { Reader, Site } from '../language/reading.rules.ts'
import {
  below,
  complain,
  entriesOf,
  integer,
  isObject,
  needed,
  object,
  oneOf,
  optional,
  text,
} from '../language/reading.rules.ts'
import type { Claim, ClaimName, Manifest, PackSecret, Setting, TestMode, TestOrder } from './types.ts'
import { CLAIMS, SETTING_TYPES, TEST_EXPECTATIONS, TEST_KINDS } from './types.ts'

// Reads `pack.json`.

const COUNTRY = matching(/^([A-Z]{2}|\*)$/, 'a country by ISO 3166 in two letters, or *')
const SORT = matching(/^[a-z][a-z0-9_]{0,39}$/, 'a word of small letters such as mobile_topup')
const NAME = /^[a-z][a-z0-9_]*$/

/** Reads members whose names the pack chooses. */
function named<T>(reader: Reader<T>): Reader<Readonly<Record<string, T>>> {
  const read = entriesOf(reader)
  return (value, site) => {
    const entries = read(value, site)
    for (const [name] of entries) {
      if (!NAME.test(name)) complain(below(site, name), 'the name must be small letters, digits and _', 0)
    }
    return Object.fromEntries(entries)
  }
}

const setting: Reader<Setting> = object(
  {
    label: needed(text, ''),
    help: needed(text, ''),
    default: optional(text, null),
    example: optional(text, null),
    type: optional(oneOf(...SETTING_TYPES), 'text'),
  },
  ({ default: usual, ...found }, { site }) => {
    if (usual === null && found.example === null) complain(site, 'needs a default, or an example', 0)
    return { ...found, usual }
  },
)

const secret: Reader<PackSecret> = object({ label: needed(text, ''), help: needed(text, '') })

const scalar: Reader<Claim['value']> = (value, site) =>
  typeof value === 'boolean' || typeof value === 'number' || (typeof value === 'string' && value !== '')
    ? value
    : complain(site, 'must be true, false, a number or a text', null)

const claim: Reader<Claim> = object(
  {
    state: needed(oneOf('documented', 'unknown'), 'unknown'),
    value: optional(scalar, null),
    says: needed(text, ''),
    source: needed(text, ''),
  },
  (found, { site }) => {
    if ((found.state === 'documented') !== (found.value !== null)) {
      complain(below(site, 'value'), 'must be there where it is documented, and null where it is unknown', 0)
    }
    return found
  },
)

const UNKNOWN: Claim = { state: 'unknown', value: null, says: '', source: '' }

const claims: Reader<Manifest['claims']> = (value, site) => {
  const given = isObject(value) ? value : complain(site, 'must be an object', {})
  for (const name of Object.keys(given)) {
    if (!isClaim(name)) complain(below(site, name), `is not known here; there are ${CLAIMS.join(', ')}`, 0)
  }
  const read = CLAIMS.map((name) => [name, claimAt(given, name, site)] as const)
  return Object.fromEntries(read) as Manifest['claims']
}

function claimAt(given: Readonly<Record<string, unknown>>, name: ClaimName, site: Site): Claim {
  const at = below(site, name)
  return given[name] === undefined ? complain(at, 'is missing', UNKNOWN) : claim(given[name], at)
}

function isClaim(name: string): name is ClaimName {
  return CLAIMS.some((each) => each === name)
}

const testOrder: Reader<TestOrder> = object({
  supplier_code: optional(text, null),
  account: needed(text, ''),
  amount: optional(AMOUNT, '10.00'),
  expect: needed(oneOf(...TEST_EXPECTATIONS), 'succeeded'),
  says: optional(text, null),
})

const testMode: Reader<TestMode> = object({
  by: needed(oneOf(...TEST_KINDS), 'none'),
  settings: needed(named(text), {}),
  says: needed(text, ''),
  orders: needed(listOf(testOrder), []),
})

export const manifest: Reader<Manifest> = object(
  {
    name: needed(text, ''),
    version: needed(integer(1, 10_000), 1),
    summary: needed(text, ''),
    countries: needed(listOf(COUNTRY), []),
    sells: needed(listOf(SORT), []),
    currency: needed(text, ''),
    settings: needed(named(setting), {}),
    secrets: needed(named(secret), {}),
    claims: needed(claims, claims({}, { path: '', problems: [], secretNames: new Set() })),
    test_mode: needed(testMode, { by: 'none', settings: {}, says: '', orders: [] }),
    upgrade: needed(text, ''),
  },
  (found, { site }) => {
    if (!Object.hasOwn(found.settings, 'base_url')) {
      complain(below(site, 'settings.base_url'), 'is missing: every pack lets its address be set', 0)
    }
    for (const name of Object.keys(found.testMode.settings)) {
      if (!Object.hasOwn(found.settings, name)) {
        complain(below(site, `test_mode.settings.${name}`), 'is no setting of this pack', 0)
      }
    }
    return found
  },
)
