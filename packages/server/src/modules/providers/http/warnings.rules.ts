import type { HttpConfig } from './config.rules.ts'

/** Warnings for an operator before selling through a supplier. */
export function warningsOf({ query, submit }: Pick<HttpConfig, 'query' | 'submit'>): readonly string[] {
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
