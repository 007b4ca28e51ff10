import type { Combo } from '@warung/forms/fields'
import type { Values } from '@warung/forms/form'
import type { Language } from '@warung/forms/texts'
import type { FormOption } from '@warung/forms/types'
import type { Problem } from '../api/client.ts'
import type { Bill, Catalog, NumberAnswer, Order, Product, Quote, Repeat, UnitResult } from '../api/wire.ts'

/** Place of a customer in the shop. Once the basket is submitted, the order's status decides what is shown. */
export type View =
  | { readonly name: 'shop' }
  | { readonly name: 'product'; readonly code: string; readonly line?: number }
  | { readonly name: 'basket' }

export type Options =
  | { readonly kind: 'failed' }
  | {
      readonly kind: 'ready'
      /** Values that the choices depend on, as text. */
      readonly params: string
      readonly search: string
      readonly items: readonly FormOption[]
      readonly total: number
    }

export type FormState = {
  readonly product: Product
  /** Line of a fixed basket that the form fills in. */
  readonly line: number | undefined
  readonly values: Values
  readonly quantity: number
  /** Fields that were left once: their problems are shown. */
  readonly left: ReadonlySet<string>
  /** True once somebody tried to add: all problems are shown. */
  readonly isTried: boolean
  readonly options: Readonly<Record<string, Options>>
  readonly combos: Readonly<Record<string, Combo>>
  readonly bill: Bill | undefined
  readonly isAskingBill: boolean
  /** Message of a biller that does not know the account. */
  readonly billRefusal: string | undefined
  readonly quote: Quote | undefined
  /** Messages of the service by field of the form; `''` is about no field. */
  readonly refusals: Readonly<Record<string, string>>
}

/** Number that was bought for before, on this device. */
export type Recent = { readonly product: string; readonly number: string }

/** Number in the search field; without an answer it is being asked about, or is none. */
export type TypedNumber = {
  readonly typed: string
  readonly answer: NumberAnswer | undefined
  readonly isRefused: boolean
}

export type Notice = { readonly tone: 'ok' | 'wait' | 'bad'; readonly text: string }

/** Work under way that a second click must not begin again. */
export type Busy = 'loading' | 'adding' | 'changing' | 'submitting' | 'cancelling' | 'results'

export type State = {
  readonly language: Language
  readonly order: Order | undefined
  readonly catalog: Catalog | undefined
  /** Problem that keeps everything from being shown. */
  readonly trouble: Problem | undefined
  readonly view: View
  readonly search: string
  readonly number: TypedNumber | undefined
  readonly recents: readonly Recent[]
  /** False: the customer wants no numbers kept on this device. */
  readonly remembers: boolean
  readonly group: string | undefined
  readonly form: FormState | undefined
  readonly notice: Notice | undefined
  /** Problem of the last change, with what to do again. */
  readonly failure: { readonly problem: Problem; readonly retry: () => void } | undefined
  readonly busy: Busy | undefined
  readonly isAskingToCancel: boolean
  /** Lines that repeat an earlier payment: the customer is asked whether they are meant. Empty: nothing is asked. */
  readonly repeats: readonly Repeat[]
  /** True when the customer has gone to pay from this tab. */
  readonly hasGoneToPay: boolean
  readonly results: readonly UnitResult[] | undefined
  readonly leftMs: number
}
