import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { openDemo } from '../../catalog.ts'
import type { Payer } from '../../payments.ts'
import { advanceClock, createPayer, expectRejection, RELOAD_COST, reload, ringgit } from '../../payments.ts'
import { until } from '../../service.ts'

const WINDOW_SECONDS = 600

let demo: Demo

beforeAll(async () => {
  demo = await openDemo()
})

afterAll(() => demo?.end())

/** Makes a reseller that does not want the same payment twice within the window. */
async function createCareful(): Promise<Payer> {
  const payer = await createPayer(demo.service, '1000')
  await demo.service.warungd(
    ...['settings', 'set', '--reseller', payer.account, '--duplicate-window-seconds', `${WINDOW_SECONDS}`],
  )
  const probe = { product: 'KITA', amount: 10 }
  await payer.pay(reload(probe))
  await until('the window is known', async () => {
    const { status } = await payer.send(reload(probe))
    return status === 400 ? true : undefined
  })
  return payer
}

it('without a window the same payment again is another payment', async () => {
  const payer = await createPayer(demo.service, '1000')
  await payer.pay(reload())
  await payer.pay(reload())
  expect(await payer.balance()).toBe(ringgit(1000 - 2 * RELOAD_COST))
})

it('an account of staging counts as just topped up, without a window and without a payment before', async () => {
  const payer = await createPayer(demo.service, '1000')
  const repeated = reload({ account: '60123450454' })
  expectRejection(await payer.send(repeated), {
    code: 54,
    remarks: 'Possible_Duplicate',
    fields: ['account'],
  })
  expect(await payer.balance()).toBe(1000)
  expect((await payer.pay({ ...repeated, allow_duplicate: true })).status).toBe('Accepted')
})

it('one of fifty payments at once is taken, however they write the number', async () => {
  const payer = await createCareful()
  const before = await payer.balance()
  const spellings = ['60123456789', '0123456789', '+60 12-345 6789', '+60 (0)12 345 6789', '123456789']
  const bodies = Array.from({ length: 50 }, (_, at) => reload({ account: spellings[at % spellings.length] }))
  const answers = await Promise.all(bodies.map((body) => payer.send(body)))
  const [taken, ...others] = answers.filter(({ status }) => status === 200)
  expect(others).toEqual([])
  const { transaction_id: id, refid } = taken?.json<{ data: Record<string, string> }>().data ?? {}
  for (const answer of answers.filter((each) => each !== taken)) {
    expectRejection(answer, { code: 54, remarks: 'Possible_Duplicate', fields: ['account'] })
    const text = answer.json<{ errors: { account: string[] } }>().errors.account[0]
    expect(text).toContain(id)
    expect(text).toContain(refid)
  }
  expect(await payer.balance()).toBe(ringgit(before - RELOAD_COST))
  // The request of the payment itself asks about it, as ever.
  const own = bodies.find((body) => body.refid === refid)
  expect((await payer.pay(own ?? {})).transaction_id).toBe(id)
})

it('a payment that is meant, that differs, whose first one failed or is long ago is taken', async () => {
  const payer = await createCareful()
  const first = await payer.pay(reload())
  const again = reload()
  expectRejection(await payer.send(again), { code: 54, remarks: 'Possible_Duplicate' })
  expectRejection(await payer.send({ ...again, allow_duplicate: 'yes' }), {
    code: 44,
    remarks: 'Invalid_Format',
    fields: ['allow_duplicate'],
  })
  const meant = await payer.pay({ ...again, allow_duplicate: true })
  expect(meant.transaction_id).not.toBe(first.transaction_id)
  await payer.pay(reload({ amount: 30 }))
  await payer.pay(reload({ account: '60123456780' }))
  const failing = { account: '60123450048' }
  const failed = reload(failing)
  await payer.pay(failed)
  await until('it has failed', async () => ((await payer.pay(failed)).status === 'Failed' ? true : undefined))
  await payer.pay(reload(failing))
  await advanceClock(demo.service, payer.account, WINDOW_SECONDS / 2)
  const late = await payer.send(reload())
  expectRejection(late, { code: 54, remarks: 'Possible_Duplicate' })
  expect(late.text).toMatch(/taken 3\d\d seconds ago/)
  await advanceClock(demo.service, payer.account, WINDOW_SECONDS / 2 + 1)
  await payer.pay(reload())
})
