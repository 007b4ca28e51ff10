import type { FailureCode } from '../../../lib/failure-codes.ts'

// Types of a supplier's connection as read from its configuration; see docs/guides/connect-a-supplier.md.

/** A mistake in a configuration, by its path in the JSON. */
export type ConfigProblem = {
  readonly path: string
  readonly message: string
  /** True: it was no mistake once, and a configuration that was saved with it goes on working. */
  readonly isOutdated?: true
}

/** Name of a secret. Its value is stored separately and never appears with the configuration. */
export type SecretReference = { readonly secret: string }

// ── Templates ──

/** Kind of a placeholder's value, which decides the filters it accepts. */
export type PlaceholderKind = 'text' | 'money' | 'time'

/**
 * Placeholders that a template may name. One ending in `.` opens a family: `header.` admits `header.x-id`. The empty one
 * admits any name, for texts whose placeholders are paths.
 */
export type Vocabulary = Readonly<Record<string, PlaceholderKind>>

/** null: the value is empty and is written as nothing. A name missing among the values cannot be written at all. */
export type Value = string | bigint | Date | null
export type Values = Readonly<Record<string, Value>>

export type Filter = { readonly name: string; readonly argument: string }

export type Placeholder = {
  readonly name: string
  readonly filters: readonly Filter[]
  /** Result when there is no value. */
  readonly whenEmpty: 'text' | 'null' | 'absent'
  /** Kind of the JSON value that is written. */
  readonly as: 'text' | 'number' | 'boolean'
}

export type Template = readonly (string | Placeholder)[]

/** Part of a text that is made of several. */
export type TextPart = Template | SecretReference

/** Text of a request, as it stands or made of several parts. */
export type TextSource = TextPart | { readonly parts: readonly TextPart[] } | DigestSource

export type DigestSource = {
  readonly digest: 'md5' | 'sha1' | 'sha256' | 'sha512'
  readonly of: readonly TextPart[]
  readonly encoding: 'hex' | 'hex_upper' | 'base64' | 'base64url'
}

/** A JSON value whose strings are templates. */
export type BodyTemplate =
  | Template
  | { readonly source: TextSource }
  | { readonly constant: number | boolean | null }
  | { readonly list: readonly BodyTemplate[] }
  | { readonly members: readonly (readonly [string, BodyTemplate])[] }

// ── Requests ──

export type OperationRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the base URL; begins with a slash. */
  readonly path: Template
  readonly query: readonly (readonly [string, TextSource])[]
  readonly headers: readonly (readonly [string, TextSource])[]
  readonly body:
    | { readonly kind: 'none' }
    | { readonly kind: 'json'; readonly template: BodyTemplate }
    | { readonly kind: 'form'; readonly fields: readonly (readonly [string, TextSource])[] }
}

// ── Answers ──

/**
 * Names of members, from the outside in; `$only` leads to the one element of a list, `$any` to each of them, where a table
 * or a reason is looked for.
 */
export type Path = readonly string[]

/** Picks the element of a list that is about the question. */
export type ListReading<Name extends string> = {
  /** Path of the list; empty: the answer itself. */
  readonly at: Path
  /** Path in an element of the value that tells ours from others. */
  readonly key: Path
  /** Value there in our element. */
  readonly wanted: Template
  /** Verdict for a list without an element of ours; null: it says nothing. */
  readonly absent: Verdict<Name> | null
}

export type Verdict<Name extends string = string> = {
  readonly outcome: Name
  readonly code: FailureCode | null
  readonly reason: string | null
  /** The supplier's word that led to it, where one did. */
  readonly word?: string
}

/** A word of the supplier that decides nothing, by its documents: the order stays unknown, and nobody need learn the word. */
export type OpenWord = { readonly leavesOpen: true; readonly reason: string | null }

/** Reads the value at the first path that has one, and maps it to a verdict. */
export type Decision<Name extends string = string> = {
  readonly paths: readonly Path[]
  readonly table: ReadonlyMap<string, Verdict<Name> | Decision<Name> | OpenWord>
  /** Paths at which a text is a success, where no other path has a value. */
  readonly present?: readonly Path[]
  /** Verdict for values missing in this table, inside another table only. null: their meaning is unknown. */
  readonly otherwise: Verdict<Name> | null
}

export type ResponseReading<Name extends string> = {
  readonly outcome: Decision<Name>
  /** Verdicts for answers in which no path has a value. */
  readonly httpStatus: ReadonlyMap<number, Verdict<Name>>
  /** Statuses of 5xx with which a whole answer counts like a refusal. */
  readonly trusted: ReadonlySet<number>
  /** Statuses with which an answer is read at all; null: any that is no 5xx. */
  readonly read: ReadonlySet<number> | null
  /** Paths of the supplier's own words for a failure; the first that leads to a text counts. */
  readonly reason: readonly Path[]
  /** Path of the order's reference in the answer. */
  readonly reference: Path | null
  /** With a list, all paths begin at the element that is ours. */
  readonly list: ListReading<Name> | null
  /** Paths that lead into a list by position; that of the reason is not among them, because it decides nothing. */
  readonly positions: readonly Path[]
}

export type OutputPath = {
  /** The first of these paths that leads to a value counts. */
  readonly paths: readonly Path[]
  /** True when a success without it is not accepted. */
  readonly isRequired: boolean
}

export type OutputReading = {
  readonly serialNumber: OutputPath | null
  readonly pin: OutputPath | null
  readonly expiry: (OutputPath & { readonly format: string }) | null
  readonly voucherLink: OutputPath | null
  readonly note: OutputPath | null
}

/** Place of an amount: in units or hundredths, or in a part that the answer names by a power of ten. */
export type MoneyPath = {
  readonly path: Path
  readonly unit: 'major' | 'minor'
  readonly divisor: Path | null
}

export type CurrencySource = { readonly code: string } | { readonly path: Path }

/** Place of an amount in the supplier's currency; null: that of the whole configuration. */
export type PricePath = MoneyPath & { readonly currency: CurrencySource | null }

export type SubmitName = 'succeeded' | 'failed' | 'pending' | 'not_acted'
export type QueryName = 'succeeded' | 'failed' | 'pending' | 'not_found' | 'not_acted' | 'reversed'
export type FetchName = 'succeeded' | 'pending'
export type VoidName = 'approved' | 'refused' | 'pending'
export type BillName = 'found' | 'invalid_account' | 'unavailable'
export type OptionsName = 'found' | 'unavailable'
export type LookupName = 'found' | 'unavailable'
export type CallbackName = 'succeeded' | 'failed' | 'pending' | 'reversed'

export type OrderResponse<Name extends string> = ResponseReading<Name> & {
  /** Path of the supplier's own id of the order. */
  readonly supplierId: Path | null
  /** Place of what we paid. */
  readonly cost: PricePath | null
  readonly output: OutputReading
}
/** Paths of the bill's fields by our names, or of the one object that is the bill. */
export type BillResponse = ResponseReading<BillName> & {
  readonly bill: { readonly whole: Path } | { readonly fields: readonly (readonly [string, Path])[] }
}
/** Path of the number's operator, in the supplier's words. */
export type LookupResponse = ResponseReading<LookupName> & { readonly operator: Path }
export type OptionsResponse = ResponseReading<OptionsName> & {
  /** Path of the list of options, all of which are read. */
  readonly options: Path
  readonly option: {
    readonly code: Path
    readonly label: Path
    readonly description: Path | null
    readonly accountNumber: Path | null
    readonly denomination: MoneyPath | null
    readonly validity: Path | null
    readonly features: Path | null
  }
}

export type FloatResponse = {
  readonly amount: MoneyPath
  readonly currency: CurrencySource | null
  readonly list: ListReading<never> | null
}

export type OperationOf<Response> = { readonly request: OperationRequest; readonly response: Response }

/** The supplier's code of what is ordered, and further values that it wants with it. */
export type SupplierCode = {
  readonly code: string
  readonly values: Readonly<Record<string, string>>
  /** The supplier does not sell it now. What was ordered before is still asked about by it. */
  readonly isClosed?: true
}

/** The supplier's code of a product: one, or one for each amount or plan. */
export type ProductCodes =
  | { readonly by: 'product'; readonly code: SupplierCode }
  | { readonly by: 'amount'; readonly codes: ReadonlyMap<bigint, SupplierCode> }
  | { readonly by: 'subproduct'; readonly codes: ReadonlyMap<string, SupplierCode> }
