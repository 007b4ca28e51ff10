export type EventResource = 'groups' | 'categories' | 'products' | 'options'

export type EventType = `${'group' | 'category' | 'product' | 'option'}.${'created' | 'updated' | 'deleted'}`

export type CatalogEvent = {
  readonly resource: EventResource
  /** Options: PRODUCT_CODE:FIELD_ID:OPTION_CODE */
  readonly id: string
  readonly type: EventType
  /** JSON of the complete effective state; null when the resource no longer exists. */
  readonly data: string | null
}

/** All codes, or the listed ones. */
export type Codes = 'all' | ReadonlySet<string>

/** Codes by product code, then field id. */
export type OptionCodes = ReadonlyMap<string, ReadonlyMap<string, Codes>>

/** Resources that may look different to some account; a comparison finds those that do. */
export type Affected = {
  readonly groups: Codes
  readonly categories: Codes
  readonly products: Codes
  readonly options: OptionCodes
}

/** Affected resources by scope: everybody, the accounts of a level, one account. */
export type AffectedByScope = {
  readonly everyone: Affected
  readonly levels: ReadonlyMap<string, Affected>
  readonly accounts: ReadonlyMap<bigint, Affected>
}

/** Snapshot in the form of events: each resource's data as JSON, or null if it does not exist. */
export type Described = {
  readonly groupCodes: readonly string[]
  readonly categoryCodes: readonly string[]
  readonly productCodes: readonly string[]
  readonly optionCodes: (productCode: string, fieldId: string) => readonly string[]
  readonly group: (code: string) => string | null
  readonly category: (code: string) => string | null
  readonly product: (code: string) => string | null
  readonly option: (productCode: string, fieldId: string, code: string) => string | null
}
