import type { SupplierPack, SupplierPackWithItsPage } from '../../../api/operator.generated.ts'
import type { Search } from '../../../shell/navigation.tsx'

export const STEPS = ['choose', 'credentials', 'prove', 'products', 'routes'] as const
export type Step = (typeof STEPS)[number]

/** Step that the address names. A provider that exists goes on after the choice; without one, nothing can be tried. */
export function stepOf({ step, provider, pack }: Search): Step {
  const named = STEPS.find((each) => each === step)
  if (provider !== undefined) return named === undefined || named === 'choose' ? 'prove' : named
  return pack !== undefined && named !== 'choose' ? 'credentials' : 'choose'
}

/** The supplier's code of one of our products, or of one amount or plan of it. */
export type CodeLine = {
  readonly product: string
  readonly by: 'product' | 'by_amount' | 'by_subproduct'
  /** Amount or plan; empty: the whole product. */
  readonly place: string
  readonly code: string
  readonly values: Readonly<Record<string, string>>
  readonly isClosed: boolean
}

type Table = Readonly<Record<string, unknown>>

/** Lists the codes in `products` of a configuration. */
export function codesOf(products: unknown): CodeLine[] {
  return Object.entries(tableOf(products)).flatMap(([product, entry]) =>
    (['by_amount', 'by_subproduct'] as const)
      .flatMap((by) =>
        Object.entries(tableOf(tableOf(entry)[by])).map(([place, each]) => ({ by, place, ...codeOf(each) })),
      )
      .concat(isWhole(entry) ? [{ by: 'product', place: '', ...codeOf(entry) } as never] : [])
      .map((line) => ({ product, ...line })),
  )
}

function isWhole(entry: unknown): boolean {
  return typeof entry === 'string' || Object.hasOwn(tableOf(entry), 'code')
}

function codeOf(entry: unknown): Pick<CodeLine, 'code' | 'values' | 'isClosed'> {
  if (typeof entry === 'string') return { code: entry, values: {}, isClosed: false }
  const { code, values, closed } = tableOf(entry)
  return {
    code: String(code),
    values: tableOf(values) as Readonly<Record<string, string>>,
    isClosed: closed === true,
  }
}

function tableOf(value: unknown): Table {
  return typeof value === 'object' && value !== null ? (value as Table) : {}
}

export type NewCode = {
  readonly product: string
  /** Empty: every amount. */
  readonly amount: string
  readonly code: string
  readonly values: Readonly<Record<string, string>>
}

/** Products to set so that one code is added; the other amounts of the product keep theirs. */
export function withCode(products: unknown, { product, amount, code, values }: NewCode): Table {
  const entry = Object.keys(values).length === 0 ? code : { code, values }
  if (amount === '') return { [product]: entry }
  const present = tableOf(tableOf(tableOf(products)[product]).by_amount)
  return { [product]: { by_amount: { ...present, [amount]: entry } } }
}

/** Products to set so that one code goes; null takes the product away. */
export function withoutCode(products: unknown, { product, by, place }: CodeLine): Table {
  if (by === 'product') return { [product]: null }
  const { [place]: _, ...others } = tableOf(tableOf(tableOf(products)[product])[by])
  return { [product]: Object.keys(others).length === 0 ? null : { [by]: others } }
}

const PAIR = /^([a-z_][a-z0-9_]{0,49})=(.+)$/

/** Reads lines of NAME=VALUE; undefined: one is not of this form. */
export function readValues(text: string): Readonly<Record<string, string>> | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const pairs = lines.map((line) => PAIR.exec(line))
  if (pairs.includes(null)) return undefined
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']))
}

/** Page of the steps. */
export const ADDING = '/operator/providers/new'

type Known = Pick<SupplierPack, 'pack' | 'name' | 'summary' | 'countries' | 'sells'>

/** Packs that the filters leave. A supplier of many countries may serve the one that is asked for. */
export function packsFor<T extends Known>(packs: readonly T[], { search = '', country, sells }: Search): T[] {
  const wanted = search.trim().toLowerCase()
  return packs
    .filter(({ countries }) => !country || countries.includes(country) || countries.includes('*'))
    .filter((each) => !sells || each.sells.includes(sells))
    .filter(({ pack, name, summary }) => `${pack} ${name} ${summary}`.toLowerCase().includes(wanted))
}

type Wanted = Pick<SupplierPackWithItsPage, 'settings' | 'test_mode'>

/** Form of settings and secrets, as far as it is filled. */
export type Filled = {
  /** By the names of settings; one that is missing has its usual value. */
  readonly values: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
  readonly isTest: boolean
  readonly reason: string
}

/** Value of a setting: that of the test mode, else what was typed, else the usual one. */
export function settingOf(
  { test_mode: { settings } }: Wanted,
  { values, isTest }: Filled,
  { name, usual }: Wanted['settings'][number],
): string {
  const given = isTest ? { ...values, ...settings } : values
  return (Object.hasOwn(given, name) ? given[name] : usual) ?? ''
}

/** Settings that differ from the usual ones. The others follow the pack when it changes. */
export function changedSettings(pack: Wanted, filled: Filled): Record<string, string> {
  const values = pack.settings.map((each) => ({ ...each, value: settingOf(pack, filled, each) }))
  return Object.fromEntries(
    values.filter(({ usual, value }) => value !== usual).map(({ name, value }) => [name, value]),
  )
}

/** Tells whether settings that were given are those of the test mode. */
export function isTestMode(
  { test_mode: { settings } }: Wanted,
  given: Readonly<Record<string, string>>,
): boolean {
  const wanted = Object.entries(settings)
  return wanted.length > 0 && wanted.every(([name, value]) => given[name] === value)
}
