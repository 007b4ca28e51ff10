import { beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import type { Answer } from '../../http.ts'
import { signed } from '../../http.ts'
import type { Payer } from '../../payments.ts'
import { countEntries, createPayer, expectNow, reload } from '../../payments.ts'

let demo: Demo

beforeAll(async () => {
  demo = await shareDemo()
})

const CLOCK = '/v2/test-clock'
/** Account whose payment succeeds after 300 seconds. */
const SLOW = '60123451300'

function readClock(payer: Payer): Promise<Answer> {
  return signed(demo.service.baseUrl, payer.credentials, { path: CLOCK })
}

function advance(payer: Payer, seconds: number): Promise<Answer> {
  const path = `${CLOCK}?advance_seconds=${seconds}`
  return signed(demo.service.baseUrl, payer.credentials, { method: 'POST', path })
}

function expectAdvanced(answer: Answer, seconds: number): void {
  expect(answer.text).toBe(JSON.stringify({ data: { advanced_seconds: seconds } }))
  expect(answer.status).toBe(200)
}

describe('the test clock', () => {
  it('says how far it was moved in all, for each account alone', async () => {
    const [payer, other] = await Promise.all([
      createPayer(demo.service, null),
      createPayer(demo.service, null),
    ])
    expectAdvanced(await readClock(payer), 0)
    expectAdvanced(await advance(payer, 300), 300)
    expectAdvanced(await advance(payer, 31_536_000), 31_536_300)
    expectAdvanced(await readClock(payer), 31_536_300)
    expectAdvanced(await readClock(other), 0)
    const whose = ['--reseller', payer.account]
    expect(await demo.service.warungd('clock', 'show', ...whose)).toMatchObject({
      advanced_seconds: 31_536_300,
    })
    await demo.service.warungd('clock', 'advance', ...whose, '--seconds', '1')
    expectAdvanced(await readClock(payer), 31_536_301)
  })

  it('ends a payment that takes 300 seconds; other accounts’ payments do not move', async () => {
    const [payer, other] = await Promise.all([
      createPayer(demo.service, '100'),
      createPayer(demo.service, '100'),
    ])
    const body = reload({ account: SLOW })
    const [mine, theirs] = await Promise.all(
      [payer, other].map((each) => each.untilStatus(body, 'Processing')),
    )
    expectAdvanced(await advance(payer, 200), 200)
    expect(await payer.pay(body)).toEqual(mine)
    expectAdvanced(await advance(payer, 100), 300)
    const done = await payer.untilStatus(body, 'Succesful')
    expect(done.transaction_id).toBe(mine?.transaction_id)
    expect(await other.pay(body)).toEqual(theirs)
    // Signing and the ledger are not moved: both use the true time.
    expectNow(done.timestamp)
    expectNow((await payer.pay(reload())).timestamp)
    expect(await countEntries(demo.service, payer.account)).toBe(3)
  })

  it('does not reach payments that are made later', async () => {
    const payer = await createPayer(demo.service, '100')
    expectAdvanced(await advance(payer, 300), 300)
    const body = reload({ account: SLOW })
    const processing = await payer.untilStatus(body, 'Processing')
    // Another payment's query is answered meanwhile, so this one's was sent too.
    await payer.untilStatus(reload({ account: '60123451002' }), 'Succesful')
    expect(await payer.pay(body)).toEqual(processing)
  })

  it('does not keep a nonce from being refused, nor a signature from being fresh', async () => {
    const payer = await createPayer(demo.service, null)
    const nonce = 'a-nonce-that-is-used-twice'
    const ask = () => signed(demo.service.baseUrl, payer.credentials, { path: CLOCK, nonce })
    expect((await ask()).status).toBe(200)
    expectAdvanced(await advance(payer, 3_600), 3_600)
    expect((await ask()).json()).toMatchObject({ error: 'nonce_reused' })
  })
})
