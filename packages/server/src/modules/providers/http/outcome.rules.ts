import { isPrintable } from '../../../lib/input/fields.ts'
import { textAt } from '../language/paths.rules.ts'
import type { OrderResponse, OutputReading, Path, PricePath, Verdict } from '../language/types.ts'
import type {
  CurrencyAmount,
  Outcome,
  QueryAnswer,
  Reversed,
  Unknown,
  UnmappedAnswer,
} from '../port/types.ts'
import type { Undecided } from './mapping.rules.ts'
import { messageAt } from './mapping.rules.ts'
import { priceAt } from './money.rules.ts'
import { outputOf } from './output.rules.ts'
import { unmappedOf } from './samples.rules.ts'

type OutcomeReading = {
  readonly reason: readonly Path[]
  readonly output: OutputReading
  readonly supplierId?: Path | null
  readonly cost?: PricePath | null
}

type Named = Verdict<'succeeded' | 'failed' | 'pending' | 'reversed' | 'not_acted'>

/** Reason given for a provider that failed without a reason of its own. */
const FAILED = 'The provider rejected it'
const REVERSED = 'The provider took it back'
const NOT_TAKEN = 'The provider did not take it'
const REJECTED = 48
const SERVICE_UNAVAILABLE = 47

/** Combines a verdict about an order with the other data of the answer. `currency` is that of prices without their own. */
export function outcomeOf(
  verdict: Verdict<'succeeded' | 'failed' | 'pending'>,
  reading: OutcomeReading,
  json: unknown,
  currency: string,
): Outcome
export function outcomeOf(
  verdict: Verdict<'succeeded' | 'failed' | 'pending' | 'reversed'>,
  reading: OutcomeReading,
  json: unknown,
  currency: string,
): Outcome | Reversed
export function outcomeOf(
  verdict: Named,
  reading: OutcomeReading,
  json: unknown,
  currency: string,
): Exclude<QueryAnswer, { kind: 'not_found' }>
export function outcomeOf(
  { outcome, code, reason, word }: Named,
  reading: OutcomeReading,
  json: unknown,
  currency: string,
): Exclude<QueryAnswer, { kind: 'not_found' }> {
  const words = reason ?? messageAt(json, reading.reason)
  const said = word === undefined ? {} : { word }
  switch (outcome) {
    case 'pending':
      return { kind: 'pending', ...idIn(json, reading) }
    case 'failed':
      return { kind: 'failed', code: code ?? REJECTED, reason: words ?? FAILED, ...said }
    case 'not_acted':
      return { kind: 'not_acted', code: code ?? SERVICE_UNAVAILABLE, reason: words ?? NOT_TAKEN, ...said }
    case 'reversed':
      return { kind: 'reversed', reason: words ?? REVERSED, ...(code !== null && { code }) }
    case 'succeeded': {
      const found = outputOf(reading.output, json)
      const id = idIn(json, reading)
      if (!found.ok) return { kind: 'unknown', reason: found.reason, ...id }
      return { kind: 'succeeded', output: found.output, ...id, ...costIn(json, reading, currency) }
    }
  }
}

const ID_MAX = 200

/** Returns the supplier's own id of an order, where the answer has one that can be sent back. */
export function idIn(
  json: unknown,
  { supplierId: path = null }: Pick<OutcomeReading, 'supplierId'>,
): { readonly supplierId?: string } {
  const id = path === null ? undefined : textAt(json, path)?.trim()
  const isUsable = id !== undefined && id !== '' && id.length <= ID_MAX && isPrintable(id)
  return isUsable ? { supplierId: id } : {}
}

function costIn(
  json: unknown,
  { cost: place = null }: OutcomeReading,
  currency: string,
): { readonly cost?: CurrencyAmount } {
  const cost = priceAt(json, place, currency)
  return cost === undefined ? {} : { cost }
}

/** Says that an answer decides nothing. The texts in `hidden` are kept out of what is shown of it. */
export function unknownOf(
  { reason, isAmbiguous, unmapped }: Undecided,
  operation: UnmappedAnswer['operation'],
  reading: Partial<Pick<OrderResponse<string>, 'supplierId' | 'output'>>,
  hidden: readonly string[],
): Unknown {
  if (unmapped === undefined) return { kind: 'unknown', reason, ...(isAmbiguous && { isAmbiguous }) }
  const bought = Object.values(reading.output ?? {}).flatMap((each) =>
    each === null ? [] : each.paths.flatMap((path) => textAt(unmapped.json, path) ?? []),
  )
  return {
    kind: 'unknown',
    reason,
    ...idIn(unmapped.json, reading),
    unmapped: unmappedOf(unmapped, operation, [...hidden, ...bought]),
  }
}
