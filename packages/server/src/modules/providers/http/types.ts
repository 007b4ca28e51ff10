import type { FailureCode } from '../port/types.ts'

// A supplier's connection as it is read from its configuration; see docs/guides/connect-a-supplier.md.

/** A mistake in a configuration, by its place in the JSON. */
export type ConfigProblem = { readonly path: string; readonly message: string }

/** The name of a secret; its value is kept apart, and never comes out with the configuration. */
export type SecretReference = { readonly secret: string }

// ── Templates ──

/** What a placeholder stands for, and so what can be done with it. */
export type PlaceholderKind = 'text' | 'money' | 'time'

/** Placeholders that a template may name. One ending in `.` opens a family: `header.` admits `header.x-id`. */
export type Vocabulary = Readonly<Record<string, PlaceholderKind>>

/** null: there is none, which is written as nothing. One that is not among the values at all cannot be written. */
export type Value = string | bigint | Date | null
export type Values = Readonly<Record<string, Value>>

export type Filter = { readonly name: string; readonly argument: string }

export type Placeholder = {
  readonly name: string
  readonly filters: readonly Filter[]
  /** What becomes of it when there is no value. */
  readonly whenEmpty: 'text' | 'null' | 'absent'
  /** Written as a JSON number. */
  readonly isNumber: boolean
}

export type Template = readonly (string | Placeholder)[]

/** A JSON value whose strings are templates. */
export type BodyTemplate =
  | Template
  | SecretReference
  | { readonly constant: number | boolean | null }
  | { readonly list: readonly BodyTemplate[] }
  | { readonly members: readonly (readonly [string, BodyTemplate])[] }

// ── What is sent ──

export type TextSource = Template | SecretReference

export type OperationRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the base URL; begins with a slash. */
  readonly path: Template
  readonly query: readonly (readonly [string, TextSource])[]
  readonly headers: readonly (readonly [string, TextSource])[]
  readonly body:
    | { readonly kind: 'none' }
    | { readonly kind: 'json'; readonly template: BodyTemplate }
    | { readonly kind: 'form'; readonly fields: readonly (readonly [string, TextSource])[] }
}

export type HmacAlgorithm = 'sha256' | 'sha512'
export type SignatureEncoding = 'hex' | 'hex_upper' | 'base64' | 'base64url'
export type TimestampForm = 'unix' | 'unix_ms' | 'iso'

export type Hmac = {
  readonly secret: SecretReference
  readonly algorithm: HmacAlgorithm
  readonly encoding: SignatureEncoding
  readonly payload: Template
  readonly header: string
  /** What the header holds, around `{{signature}}`. */
  readonly value: Template
}

export type Auth =
  | { readonly type: 'none' }
  | {
      readonly type: 'basic'
      readonly username: string | SecretReference
      readonly password: SecretReference
    }
  | { readonly type: 'bearer'; readonly token: SecretReference }
  | (Hmac & {
      readonly type: 'hmac'
      readonly timestamp: { readonly header: string | null; readonly form: TimestampForm }
      readonly nonceHeader: string | null
    })
  | {
      readonly type: 'oauth2_client_credentials'
      readonly tokenUrl: string
      readonly clientId: string | SecretReference
      readonly clientSecret: SecretReference
      readonly scope: string | null
      /** How the client proves itself to the token endpoint. */
      readonly clientAuth: 'basic' | 'body'
    }

// ── What is read ──

/** Names of members and places in lists, from the outside in. */
export type Path = readonly string[]

export type Verdict<Name extends string = string> = {
  readonly outcome: Name
  readonly code: FailureCode | null
  readonly reason: string | null
}

/** A value of the answer, by the first path that leads to one, and what each means. */
export type Decision<Name extends string = string> = {
  readonly paths: readonly Path[]
  readonly table: ReadonlyMap<string, Verdict<Name> | Decision<Name>>
  /** Inside another table: for values that are not in this one. null: nobody can say what they mean. */
  readonly otherwise: Verdict<Name> | null
}

export type ResponseReading<Name extends string> = {
  readonly outcome: Decision<Name>
  /** Of answers in which no path leads to a value. */
  readonly httpStatus: ReadonlyMap<number, Verdict<Name>>
  /** The supplier's own words for a failure. */
  readonly reason: Path | null
  /** Where the answer names the order that it speaks of. */
  readonly reference: Path | null
}

export type OutputPath = {
  readonly path: Path
  /** A success without it is not believed. */
  readonly isRequired: boolean
}

export type OutputReading = {
  readonly serialNumber: OutputPath | null
  readonly pin: OutputPath | null
  readonly expiry: (OutputPath & { readonly format: string }) | null
  readonly voucherLink: OutputPath | null
  readonly note: OutputPath | null
}

export type MoneyPath = { readonly path: Path; readonly unit: 'ringgit' | 'cents' }

export type SubmitName = 'succeeded' | 'failed' | 'pending' | 'not_acted'
export type QueryName = 'succeeded' | 'failed' | 'pending' | 'not_found'
export type VoidName = 'approved' | 'refused' | 'pending'
export type BillName = 'found' | 'invalid_account' | 'unavailable'
export type OptionsName = 'found' | 'unavailable'
export type CallbackName = 'succeeded' | 'failed' | 'pending'

export type OrderResponse<Name extends string> = ResponseReading<Name> & { readonly output: OutputReading }
/** Fields of the bill by our names, or the one object that is the bill. */
export type BillResponse = ResponseReading<BillName> & {
  readonly bill: { readonly whole: Path } | { readonly fields: readonly (readonly [string, Path])[] }
}
export type OptionsResponse = ResponseReading<OptionsName> & {
  readonly list: Path
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

export type OperationOf<Response> = { readonly request: OperationRequest; readonly response: Response }

export type Verification =
  | (Hmac & {
      readonly type: 'hmac'
      readonly timestamp: {
        readonly header: string
        readonly form: TimestampForm
        readonly toleranceMs: number
      } | null
    })
  | { readonly type: 'secret_header'; readonly header: string; readonly secret: SecretReference }

export type CallbackConfig = {
  readonly verification: Verification
  /** What it is read from. */
  readonly content: 'json' | 'form' | 'query'
  /** null: the same content is the same callback. */
  readonly id: Path | null
  readonly reference: Path
  /** null: it is only a hint, and the supplier is asked. */
  readonly outcome: Decision<CallbackName> | null
  readonly reason: Path | null
  readonly output: OutputReading
  readonly amount: MoneyPath | null
}

/** The supplier's own code of a product: one, or one for each amount or plan. */
export type SupplierCode =
  | { readonly by: 'product'; readonly code: string }
  | { readonly by: 'amount'; readonly codes: ReadonlyMap<bigint, string> }
  | { readonly by: 'subproduct'; readonly codes: ReadonlyMap<string, string> }

export type HttpConfig = {
  readonly baseUrl: string
  readonly submitMs: number
  readonly queryMs: number
  readonly concurrencyMax: number
  readonly ratePerSecond: number | null
  readonly notFoundProvesAfterMs: number | null
  readonly repeatsReference: boolean
  readonly products: ReadonlyMap<string, SupplierCode>
  readonly headers: readonly (readonly [string, TextSource])[]
  readonly auth: Auth
  readonly submit: OperationOf<OrderResponse<SubmitName>>
  readonly query: OperationOf<OrderResponse<QueryName>> | null
  readonly void: OperationOf<ResponseReading<VoidName>> | null
  readonly bill: OperationOf<BillResponse> | null
  readonly options: OperationOf<OptionsResponse> | null
  readonly float: OperationOf<{ readonly amount: MoneyPath }> | null
  readonly health: OperationRequest | null
  readonly callback: CallbackConfig | null
}

export type HttpConfigReading =
  | { readonly ok: true; readonly config: HttpConfig }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] }
