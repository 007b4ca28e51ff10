import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CrashBench } from '../crash/crash.ts'
import { openCrashBench } from '../crash/crash.ts'
import { credentialsOf, signed } from '../http.ts'
import type { Payer } from '../payments.ts'
import { newRefid, payerAt } from '../payments.ts'
import type { Service } from '../service.ts'
import { until } from '../service.ts'

// The service is killed at the worst moments of a void; another one continues.

let bench: CrashBench

beforeAll(async () => {
  bench = await openCrashBench()
})
afterAll(() => bench.close())

const VOID_APPROVED = '60123454001'

function payerOf(service: Service): Payer {
  return payerAt(service, { ...credentialsOf(bench.reseller), account: bench.reseller.account })
}

async function listRefunds(id: string): Promise<{ amount: string }[]> {
  const { rows } = await bench.database.query<{ amount: string }>(
    `select amount::text from transfers where payment_id = $1 and kind = 'refund'`,
    [id],
  )
  return rows
}

async function findState(id: string): Promise<string | undefined> {
  const { rows } = await bench.database.query<{ state: string }>(
    'select state from cases where payment_id = $1',
    [id],
  )
  return rows[0]?.state
}

it.each([
  ['before the biller was asked', 'void.before', 0],
  ['after the biller approved and before that was written down', 'void.approved', 0],
  ['right after it was written down', 'void.committed', 1],
] as const)(
  'a process that dies %s: one refund exactly, and the case is resolved',
  async (_, failpoint, refunds) => {
    const dying = await bench.start({ WARUNG_FAILPOINT: failpoint })
    const payer = payerOf(dying)
    const body = { refid: newRefid(), product: 'VOLT', account: VOID_APPROVED, amount: 10 }
    const paid = await payer.untilStatus(body, 'Succesful')
    const id = paid.transaction_id
    const asked = await signed(dying.baseUrl, payer.credentials, {
      method: 'POST',
      path: '/v2/transactions/void',
      json: { trxid: id, refund_type: 2 },
    })
    expect(asked.json()).toMatchObject({ data: { refid: body.refid, status: 'Success' } })
    expect((await dying.ended).signal).toBe('SIGKILL')
    expect(await listRefunds(id)).toHaveLength(refunds)
    expect(await findState(id)).toBe(refunds === 1 ? 'resolved' : 'open')

    const service = await bench.start({})
    const voided = await until('it is voided', async () => {
      const data = await payerOf(service).pay(body)
      return data.statusCode === 53 && data
    })
    expect(voided).toMatchObject({ status: 'Failed', remarks: 'Refund', balance: paid.balance + paid.cost })
    expect(await findState(id)).toBe('resolved')
    expect(await listRefunds(id)).toHaveLength(1)
    const { rows } = await bench.database.query('select case_id from case_work')
    expect(rows).toEqual([])
    const line = await bench.simulator.find(`W${id}-1`)
    expect(line).toMatchObject({ status: 'succeeded', voided_at: expect.any(String) })
    expect(await service.warungd('ledger', 'verify')).toMatchObject({ ok: true })
    await service.kill9()
  },
)
