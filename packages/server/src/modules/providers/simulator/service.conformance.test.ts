import type { Fate, ProviderBench } from '../../../testing/providers/provider-bench.ts'
import { cannotArrange, newOrder, withoutWire } from '../../../testing/providers/provider-bench.ts'
import { describeProviderConformance } from '../../../testing/providers/provider-conformance.ts'
import {
  BILL_SAMPLES,
  OPTION_SAMPLES,
  SIMULATED_ACCOUNTS,
} from '../../../testing/providers/simulator-bench.ts'
import { createSimulator } from './service.ts'

function openBench(): Promise<ProviderBench> {
  let nowMs = Date.parse('2026-03-01T04:00:00Z')
  return Promise.resolve({
    provider: createSimulator({ fulfilment: () => 'pin', nowMs: () => nowMs }),
    order(fate: Fate) {
      const account = SIMULATED_ACCOUNTS[fate]
      if (account === undefined) return cannotArrange(fate)
      return Promise.resolve(newOrder({ account, submittedAt: new Date(nowMs) }))
    },
    spoil: (_, fault) => cannotArrange(fault),
    mend: () => Promise.resolve(),
    decide() {
      nowMs += 60_000
      return Promise.resolve()
    },
    countActs: () => cannotArrange('a count'),
    secrets: [],
    bills: BILL_SAMPLES,
    options: OPTION_SAMPLES,
    close: () => Promise.resolve(),
  })
}

describeProviderConformance('the simulator in this process', openBench, {
  ...withoutWire('it is called, not sent to'),
  not_acted: 'it takes every order',
  not_found: 'what became of an order follows from the order, so none is unheard of',
  count_acts: 'it keeps no books',
  float: 'nothing is held at it',
  callbacks: 'it has no news that asking would not give',
})
