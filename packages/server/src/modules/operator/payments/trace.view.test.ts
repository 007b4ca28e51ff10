import { expect, it } from 'vitest'
import type { Case } from '../../cases/types.ts'
import type { TraceFacts } from './trace.view.ts'
import { traceOf } from './trace.view.ts'

const at = (minutes: number) => new Date(Date.UTC(2026, 8, 16, 8, minutes))

/** Texts about the cases of a payment. */
function textsOf(cases: readonly Partial<Case>[]): string[] {
  const payment = { productCode: 'NOVA', faceValue: 100_000n, cost: 97_000n, createdAt: at(0) }
  const facts = {
    report: { payment, timeline: [] },
    history: { attempts: [] },
    requestId: undefined,
    requests: [],
    entries: [],
    events: [],
    deliveries: [],
    cases,
  } as unknown as TraceFacts
  return traceOf(facts)
    .filter(({ kind }) => kind === 'case')
    .map((step) => `${step.at.getUTCMinutes()} ${step.text}`)
}

it('a case stands at its opening and at its end, each without what came later', () => {
  const dispute = { kind: 'dispute', state: 'refused', openedAt: at(1), closedAt: at(9) } as const
  const open = { kind: 'void', state: 'in_progress', openedAt: at(5), closedAt: null } as const
  expect(textsOf([dispute, open])).toEqual(['1 dispute opened', '5 void opened', '9 dispute refused'])
})
