// A book of a supplier's answers: requests and answers as data, which tests and the answer server speak.

/** Place of a value in a request. */
export type Place = { readonly from: 'body' | 'form' | 'query' | 'header'; readonly name: string }

export type BookAnswer = {
  readonly status: number
  /** JSON with placeholders, as text; or any text; '': nothing. */
  readonly text: string
  readonly isJson: boolean
  readonly headers: Readonly<Record<string, string>>
  /** True: the connection ends without an answer. */
  readonly isDropped: boolean
}

export type Route = {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly reference: Place | null
  readonly id: Place | null
  readonly account: Place | null
  readonly code: Place | null
  readonly where: readonly (readonly [Place, string])[]
  readonly needs: readonly Place[]
  /** Answers in their order, of which the last one repeats; none: the scenario answers. */
  readonly answers: readonly BookAnswer[]
}

export const SUBMIT_KINDS = ['succeeded', 'failed', 'pending', 'unknown', 'not_acted'] as const
export const QUERY_KINDS = [...SUBMIT_KINDS, 'not_found', 'reversed'] as const
export const FINALS = ['succeeded', 'failed', 'elsewhere', 'open', 'reversed'] as const
export type Final = (typeof FINALS)[number]
type Kind = (typeof QUERY_KINDS)[number]

export type OrderChange = Readonly<
  Record<'amount' | 'account' | 'subproduct' | 'billerCode' | 'ref2', string | null>
>

export type Expectation = {
  readonly submit: Kind
  readonly query: readonly Kind[]
  readonly final: Final
  readonly code: number | null
  readonly output: Readonly<Record<string, string>>
  readonly cost: string | null
  /** Whether the supplier delivered in the end. */
  readonly acts: boolean
}

export type Scenario = {
  readonly name: string
  readonly account: string | null
  /** Entry of `products` in the connection's configuration. */
  readonly product: unknown
  readonly order: OrderChange
  readonly submit: BookAnswer
  readonly query: readonly BookAnswer[]
  readonly fetch: readonly BookAnswer[]
  readonly expect: Expectation
}

export type Sign = {
  readonly header: string
  readonly secret: string
  /** How the secret spells the bytes of the key. */
  readonly key: 'text' | 'base64' | 'whsec'
  readonly algorithm: 'sha1' | 'sha256' | 'sha512' | null
  readonly encoding: 'hex' | 'base64'
  readonly payload: string
  readonly value: string
  readonly timestamp: { readonly header: string; readonly form: 'unix' | 'unix_ms' | 'iso' } | null
  readonly isWrong: boolean
}

/** Digest in a member of the body. */
export type DigestMember = {
  readonly path: readonly string[]
  readonly algorithm: 'md5' | 'sha1' | 'sha256'
  /** Text that it is made of, with `{{secret.NAME}}`. */
  readonly of: string
}

export type BookCallback = {
  readonly name: string
  readonly content: Pick<BookAnswer, 'text' | 'isJson'>
  /** May have `{{secret.NAME}}`. */
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly sign: Sign | null
  readonly digest: DigestMember | null
  readonly ageS: number
  readonly expect: 'news' | 'refused' | 'ping' | 'repeated'
}

export type Book = {
  readonly routes: readonly Route[]
  readonly scenarios: readonly Scenario[]
  readonly unknownReference: { readonly query: BookAnswer; readonly expect: Kind } | null
  readonly repeatedReference: {
    readonly submit: BookAnswer
    readonly expect: Kind
    readonly actsAgain: boolean
  } | null
  readonly callbacks: readonly BookCallback[]
  readonly expect: {
    /** Operator of +60123456789, in the supplier's words. */
    readonly lookup: string | null
    readonly float: string | null
    readonly offers: number | null
    readonly firstOffer: Readonly<Record<string, unknown>>
  }
}

/** Order that the answer book took. */
export type BookOrder = {
  readonly reference: string
  readonly scenario: Scenario
  /** The supplier's own id. */
  readonly id: string
  readonly account: string
  readonly code: string
  /** How often it was delivered: more than once is what must never happen. */
  acts: number
  asked: number
  fetched: number
}
