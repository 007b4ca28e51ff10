export type EventResource = 'groups' | 'categories' | 'products' | 'options'

export type EventType = `${'group' | 'category' | 'product' | 'option'}.${'created' | 'updated' | 'deleted'}`

export type CatalogEvent = {
  readonly resource: EventResource
  /** Options: PRODUCT_CODE:FIELD_ID:OPTION_CODE */
  readonly id: string
  readonly type: EventType
  /** JSON of the complete effective state; null when the resource is no more. */
  readonly data: string | null
}

/** All there are, or these. */
export type Codes = 'all' | ReadonlySet<string>

/** Codes by product code, then field id. */
export type OptionCodes = ReadonlyMap<string, ReadonlyMap<string, Codes>>

/** The resources that may look otherwise to somebody; whether one does is found by comparing. */
export type Affected = {
  readonly groups: Codes
  readonly categories: Codes
  readonly products: Codes
  readonly options: OptionCodes
}

/** The same by who may see it: everybody, the accounts of a level, one account. */
export type AffectedByScope = {
  readonly everyone: Affected
  readonly levels: ReadonlyMap<string, Affected>
  readonly accounts: ReadonlyMap<bigint, Affected>
}

/** A snapshot as events speak of it: each resource's data as JSON, or null where it does not exist. */
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
