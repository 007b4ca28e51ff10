import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askForBill, expectBill, givenIn } from '../../bills.ts'
import type { Demo } from '../../catalog.ts'
import { openDemo } from '../../catalog.ts'
import type { Answer } from '../../http.ts'
import type { Fault, RequestFault, Simulator } from '../../simulator.ts'
import { startSimulator } from '../../simulator.ts'

const VALID = 'Account no is valid'
const UNAVAILABLE = 'Service unavailable. Please try again later'

let simulator: Simulator
let demo: Demo

beforeAll(async () => {
  simulator = await startSimulator()
  demo = await openDemo({ WARUNG_SIMULATOR_URL: simulator.url })
})

afterAll(() => demo?.end())

const HARMLESS: readonly RequestFault[] = ['slow', 'duplicate_answer']
const HARMFUL: readonly RequestFault[] = [
  'hang',
  'hang_before',
  'error_before',
  'error_after',
  'garbage',
  'huge',
  'truncated',
  'trickle',
  'not_http',
  'drop_before',
  'drop_after',
  'reset_before',
  'reset_after',
  'redirect',
  'unauthorized',
  'outage',
]

/** Returns the account of a fault. Each fault has its own, so that all of them can be tested at once. */
function accountOf(kind: RequestFault): string {
  return `2200${String([...HARMLESS, ...HARMFUL].indexOf(kind)).padStart(8, '0')}`
}

const ask = (account: string) => askForBill(demo.first, { product: 'VOLT', account })

async function meet(kinds: readonly RequestFault[]): Promise<Map<RequestFault, Answer>> {
  const answers = await Promise.all(kinds.map(async (kind) => [kind, await ask(accountOf(kind))] as const))
  return new Map(answers)
}

describe('over the network', () => {
  beforeAll(async () => {
    for (const kind of [...HARMLESS, ...HARMFUL]) {
      const fault: Fault = { kind, on: 'bill', matching_account: accountOf(kind) }
      await simulator.fault(kind === 'slow' ? { ...fault, delay_ms: 300 } : fault)
    }
  })

  it('a bill is what the biller sent, and nothing of it that the contract does not name', async () => {
    const data = expectBill(await ask('220011223344'), 'VOLT', VALID)
    expect(givenIn(data).sort()).toEqual(
      ['Address', 'Balance', 'BillerName', 'CustomerName', 'DueDate', 'Outstanding', 'message'].sort(),
    )
  })

  it('every way of not answering is a 200 that says so, and all of them together hold up nobody', async () => {
    const met = meet(HARMFUL)
    expectBill(await ask('220011223344'), 'VOLT', VALID)
    for (const [kind, answer] of await met) {
      expect(answer.status, `${kind}: ${answer.text}`).toBe(200)
      expect(givenIn(expectBill(answer, 'VOLT', UNAVAILABLE)), kind).toEqual(['message'])
    }
  })

  it('a biller that is slow or says it twice is understood', async () => {
    for (const [, answer] of await meet(HARMLESS)) expectBill(answer, 'VOLT', VALID)
  })

  it('a biller that is gone is a 200, and is asked again when it is back', async () => {
    await simulator.kill9()
    for (const account of ['220011223344', '220011223345']) {
      expectBill(await ask(account), 'VOLT', UNAVAILABLE)
    }
    await startSimulator({ port: Number(new URL(simulator.url).port) })
    expectBill(await ask('220011223344'), 'VOLT', VALID)
  })
})
