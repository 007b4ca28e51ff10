import type { ConfigProblem } from '../connections/connections.types.ts'

/** Facts that decide how money moves when nothing is certain. A pack says of each whether the supplier documents it. */
export const CLAIMS = [
  'repeated_reference_acts_once',
  'not_found_proves',
  'remembers_for_days',
  'reversed_late',
  'empty_wallet',
] as const
export type ClaimName = (typeof CLAIMS)[number]

export type Claim = {
  /** `documented`: the supplier says so in public. Whether it is true is proven in an installation. */
  readonly state: 'documented' | 'unknown'
  /** null: not known. */
  readonly value: boolean | number | string | null
  readonly says: string
  readonly source: string
}

export const SETTING_TYPES = ['text', 'boolean', 'number'] as const

export type Setting = {
  readonly label: string
  readonly help: string
  /** null: the operator gives it. */
  readonly usual: string | null
  /** Value for checks and tests, where there is no usual one. */
  readonly example: string | null
  readonly type: (typeof SETTING_TYPES)[number]
}

export type PackSecret = { readonly label: string; readonly help: string }

export const TEST_KINDS = ['address', 'key', 'orders', 'none'] as const
export const TEST_EXPECTATIONS = ['succeeded', 'failed', 'pending', 'not_acted'] as const

export type TestOrder = {
  /** null: the operator's account decides which products there are; a trial names one. */
  readonly supplierCode: string | null
  readonly account: string
  readonly amount: string
  readonly expect: (typeof TEST_EXPECTATIONS)[number]
  readonly says: string | null
}

export type TestMode = {
  /** Thing that makes an order a test: another address, another key, special accounts; none: there is no test mode. */
  readonly by: (typeof TEST_KINDS)[number]
  readonly settings: Settings
  readonly says: string
  readonly orders: readonly TestOrder[]
}

/** Values by the names of settings. */
export type Settings = Readonly<Record<string, string>>

/** Facts about a supplier, as its `pack.json` says. */
export type Manifest = {
  readonly name: string
  readonly version: number
  readonly summary: string
  /** ISO 3166, or * for many. */
  readonly countries: readonly string[]
  readonly sells: readonly string[]
  readonly currency: string
  readonly settings: Readonly<Record<string, Setting>>
  readonly secrets: Readonly<Record<string, PackSecret>>
  readonly claims: Readonly<Record<ClaimName, Claim>>
  readonly testMode: TestMode
  /** Changes of this version. */
  readonly upgrade: string
}

/** A pack: what is known of a supplier, and its configuration with `${setting}` where an operator decides. */
export type Pack = {
  /** Name of its folder, by which an operator chooses it. */
  readonly id: string
  readonly manifest: Manifest
  readonly template: unknown
}

export type PackReading =
  | { readonly ok: true; readonly pack: Pack }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] }
