import type { NumberKind, NumberOperator, NumberPlan, NumberRange } from '../../lib/numbers/plans.ts'

export const LOOKUP_SOURCES = ['prefix', 'supplier', 'history'] as const
export type LookupSource = (typeof LOOKUP_SOURCES)[number]

/** Canonical number with what the plans know about it. */
export type KnownNumber = {
  /** Digits of E.164. */
  readonly number: string
  /** null: several countries share its calling code. */
  readonly country: string | null
  readonly kind: NumberKind | 'unknown'
  readonly prefixOperator: OperatorName | undefined
}

export type OperatorName = { readonly code: string; readonly name: string }

/** Sign that a number was an operator's at a time. */
export type Sign = {
  readonly source: 'supplier' | 'history'
  readonly operator: OperatorName
  readonly at: Date
}

export type NumberLookup = KnownNumber & {
  readonly operator: OperatorName | null
  readonly source: LookupSource | null
  /** Codes that the caller may buy, the operator's first. */
  readonly products: readonly string[]
}

/** Plan of a country, given by an operator or known by the service itself. */
export type PlanInForce = { readonly plan: NumberPlan; readonly isOwn: boolean }

/** Plan as it is given and exported. */
export type PlanWire = Pick<NumberPlan, 'country' | 'trunk' | 'source'> & {
  readonly as_of: string
  readonly operators: readonly Required<NumberOperator>[]
  readonly ranges: readonly (Omit<NumberRange, 'digitsMin' | 'digitsMax'> & {
    readonly digits_min: number
    readonly digits_max: number
  })[]
}

/** Operator of a number that is another one than that of a product. */
export type OperatorDifference = {
  readonly number: OperatorName
  readonly product: OperatorName
  readonly isCertain: boolean
}
