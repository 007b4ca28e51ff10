import { PHONE } from '../payments.ts'

/** Makes the request that schedules a file of one line; by default tomorrow. */
export function scheduleOf(changes: object = {}) {
  return {
    name: 'Condominium',
    every: 'once',
    first_at: new Date(Date.now() + 86_400_000).toISOString(),
    repeats: 'skip',
    max_cost: '10',
    lines: [{ line: 2, product: 'NOVA', account: PHONE, amount: '10', cost: '9.70' }],
    ...changes,
  }
}
