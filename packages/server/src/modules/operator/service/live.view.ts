import type { ChangedPayments } from '../../events/live/live.types.ts'
import { stateOf } from '../../payments/core/states.rules.ts'
import type { HouseChange } from './live.rules.ts'

export function houseView({ subject, change, data, at }: HouseChange) {
  const text = (name: string) => (typeof data[name] === 'string' ? data[name] : '')
  const when = at.toISOString()
  switch (subject) {
    case 'alert':
      return {
        change,
        id: text('id'),
        kind: text('kind'),
        subject: text('subject'),
        severity: text('severity'),
        at: when,
      }
    case 'approval':
      return { change, id: text('id'), kind: text('kind'), state: text('state'), at: when }
    case 'case':
      return { number: text('number'), kind: text('kind'), state: text('state'), at: when }
    case 'ledger':
      return { change, id: text('id'), at: when }
  }
}

export function changedPaymentsView({ payments, isPartial }: ChangedPayments) {
  return {
    changed: [...payments].map(([id, code]) => ({ id: String(id), code, state: stateOf(code) })),
    more: isPartial,
  }
}
