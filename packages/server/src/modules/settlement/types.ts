import type { Amount } from '../../lib/money.ts'

/** A column of the file, by its heading or by its number from 1. */
export type Column = string | number

export const LINE_STATES = ['succeeded', 'failed', 'pending'] as const
export type LineState = (typeof LINE_STATES)[number]

export const AMOUNTS_OF = ['payment', 'cost'] as const
export type AmountOf = (typeof AMOUNTS_OF)[number]

/** Rules for reading a provider's file. */
export type Mapping = {
  readonly encoding: 'utf-8' | 'latin1'
  readonly separator: string
  /** Lines before the first record; the last of them has the headings. */
  readonly headerLines: number
  /** First cells of lines that are not records: totals, trailers. */
  readonly skipFirstCells: readonly string[]
  readonly reference: { readonly column: Column; readonly of: 'ours' | 'theirs' }
  readonly amount: {
    readonly column: Column
    /** `payment`: the amount of the payment; `cost`: what the supplier took for it. */
    readonly of: AmountOf
    /** Whole units of the currency, or hundredths. */
    readonly unit: 'ringgit' | 'unit' | 'sen' | 'hundredth'
    readonly decimal: '.' | ','
    /** Separator of thousands; '' when there is none. */
    readonly thousands: '' | ',' | '.' | ' '
  }
  /** Currency of the amounts. With a column, each line has to say it. */
  readonly currency: { readonly is: string; readonly column: Column | null }
  /** State by the words of the file. `skip`: the line is not an order, such as a deposit or a fee. */
  readonly state: { readonly column: Column; readonly values: ReadonlyMap<string, LineState | 'skip'> }
  readonly time: { readonly column: Column; readonly format: string; readonly offsetMinutes: number } | null
  readonly serialNumber: { readonly column: Column } | null
}

/** An order as the provider's file lists it. */
export type SettlementLine = {
  /** Number of the line, from 1. */
  readonly line: number
  readonly reference: string
  /** Our payment that it names; null: none, or not found yet. */
  readonly paymentId: bigint | null
  readonly attempt: number | null
  readonly amount: Amount
  readonly state: LineState
  readonly serialNumber: string
  readonly at: Date | null
}

export type SettlementFile = {
  readonly id: bigint
  readonly provider: string
  /** yyyy-MM-dd, GMT+8 */
  readonly day: string
  readonly name: string
  /** Owner of the references in its lines. */
  readonly referenceOf: Mapping['reference']['of']
  readonly amountOf: AmountOf
  readonly currency: string
  readonly lines: number
  readonly importedAt: Date
  readonly comparedAt: Date | null
  readonly openDifferences: number
  /** Sums of a file that lists what the supplier took; null: it is another file, or was not compared yet. */
  readonly sums: Sums | null
  /** Time at which a file that should not have been imported stopped counting; null: it counts. */
  readonly withdrawnAt: Date | null
  readonly withdrawnReason: string | null
}

/** Money that the supplier took by its file and by its answers, over the orders of which both say it. */
export type Sums = {
  readonly theirs: Amount
  readonly ours: Amount
  /** By the rates that are kept with the costs; null: one of them has no rate. */
  readonly theirsRinggit: Amount | null
  readonly oursRinggit: Amount | null
  readonly told: number
  /** Orders that the file lists and whose answer said no cost. */
  readonly untold: number
}

/** A problem in a file; line 0: it concerns the whole file. */
export type Problem = { readonly line: number; readonly message: string }

export const DIFFERENCE_KINDS = [
  'missing_here',
  'missing_there',
  'amount',
  'state',
  'duplicate_there',
] as const
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number]

/** `withdrawn`: closed together with the file that it was found in. */
export type ClosedAs = 'agrees' | 'accepted' | 'withdrawn'

/** A difference between the provider's records and ours, as a comparison finds it. */
export type Found = {
  readonly kind: DifferenceKind
  /** Number of the line; 0: the file has no line for it. */
  readonly line: number
  readonly reference: string
  readonly resellerId: bigint | null
  readonly paymentId: bigint | null
  readonly attempt: number | null
  readonly theirs: string
  readonly ours: string
  /** The same in ringgit, where they are in another currency and the rate is kept. */
  readonly theirsRinggit: Amount | null
  readonly oursRinggit: Amount | null
}

export type Difference = Found & {
  readonly id: bigint
  readonly fileId: bigint
  readonly foundAt: Date
  readonly closedAt: Date | null
  readonly closedAs: ClosedAs | null
  readonly reason: string | null
}
