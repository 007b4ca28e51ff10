import { uses } from '../language/sources.rules.ts'
import { weaknessOf } from '../language/verification.rules.ts'
import type { HttpConfig } from './config.rules.ts'

type Judged = Pick<HttpConfig, 'callback' | 'products' | 'query' | 'submit'>

/** Warnings for an operator before selling through a supplier. */
export function warningsOf(config: Judged): readonly string[] {
  return [...ofMissingQuery(config), ...ofMissingCodes(config), ...ofWeakCallback(config)]
}

function ofMissingQuery({ query, submit }: Judged): string[] {
  if (query !== null) return []
  const { pin, voucherLink } = submit.response.output
  if (pin === null && voucherLink === null) {
    return [
      'it cannot be asked what became of an order (no query): what stays unknown is for a person to find out',
    ]
  }
  return [
    'it gives PINs or links once and cannot be asked again (no query): an answer that is heard and not yet written is ' +
      'lost for good when the process is killed (kill -9, power failure); see docs/guides/providers.md',
  ]
}

function ofMissingCodes({ products, submit }: Judged): string[] {
  const isNeeded = uses(submit.request, 'supplier_code') || uses(submit.request, 'product.')
  if (products.size > 0 || !isNeeded) return []
  return ['nothing can be ordered there until a product has a code of the supplier ("products" is empty)']
}

function ofWeakCallback({ callback }: Judged): string[] {
  const weakness = callback === null ? undefined : weaknessOf(callback.verification)
  if (weakness === undefined) return []
  return [`its callbacks are proven by ${weakness.name}, which is weak: they only cause a question`]
}
