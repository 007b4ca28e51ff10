import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database, Statement } from '../../db/database.ts'
import type { CasesBench } from '../../testing/cases.ts'
import { callerOf, numberOf, openCasesBench, RELOAD, requestFor } from '../../testing/cases.ts'
import { expectSoundMoney } from '../../testing/payments/payments.ts'
import type { Payment } from '../payments/core/types.ts'
import { refuseCase } from './operators.service.ts'
import type { SupportCommand } from './types.ts'

let bench: CasesBench
let resellerId: bigint

beforeAll(async () => {
  bench = await openCasesBench()
  resellerId = await bench.newReseller(1_000_000n)
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

/** Makes a node whose statements that open a case run as `open` says. */
function nodeThat(open: (run: () => Promise<unknown>) => Promise<unknown>) {
  const database: Database = {
    ...bench.database,
    query<R extends object>(statement: Statement | string, values?: readonly unknown[]) {
      const run = () => bench.database.query<R>(statement, values)
      return JSON.stringify(statement).includes('open_case') ? (open(run) as ReturnType<typeof run>) : run()
    },
  }
  return bench.casesAt('production', database)
}

const voidOf = ({ id }: Payment) =>
  bench.node.resolver.submit({ resellerId, id, outcome: { kind: 'voided' }, nextMs: 0 })

it('a payment that is voided while its case is being opened is told as voided, and gets no case', async () => {
  const payment = await bench.succeed(resellerId)
  const cases = nodeThat(async (open) => {
    await voidOf(payment)
    return open()
  })
  const result = await cases.open('dispute', callerOf(resellerId), requestFor('dispute', payment))
  expect(result).toEqual({ kind: 'voided_before', refid: payment.refid })
  expect(await cases.listOfPayment(resellerId, payment.id)).toEqual([])
})

it('a payment that was voided before is told as voided, even where its product cannot be voided by request', async () => {
  const payment = await bench.succeed(resellerId, { product: RELOAD })
  await voidOf(payment)
  const cases = bench.casesAt('production')
  expect(await cases.open('void', callerOf(resellerId), requestFor('void', payment))).toEqual({
    kind: 'voided_before',
    refid: payment.refid,
  })
})

it('a request that the database refuses is not sent again, and one without an answer is sent once more', async () => {
  const payment = await bench.succeed(resellerId)
  const sentBy = async (change: Partial<SupportCommand>, after: () => void) => {
    let sent = 0
    const cases = nodeThat(async (open) => {
      sent += 1
      const result = await open()
      after()
      return result
    })
    const error = await cases
      .open('dispute', callerOf(resellerId), requestFor('dispute', payment, change))
      .catch((reason: unknown) => reason)
    return { sent, error }
  }
  expect(await sentBy({ requestId: 'no uuid' }, () => {})).toMatchObject({
    sent: 1,
    error: { severity: 'ERROR' },
  })
  const lose = () => {
    throw new Error('Connection terminated unexpectedly')
  }
  expect(await sentBy({}, lose)).toMatchObject({
    sent: 2,
    error: { status: 504, code: 'uncertain_outcome' },
  })
})

it('cases of a payment that were opened one after the other, on two nodes, are listed newest first', async () => {
  const payment = await bench.succeed(resellerId)
  const other = bench.casesAt('production', bench.openAnother())
  const numbers: string[] = []
  for (const cases of [bench.casesAt('production'), other]) {
    const opened = await cases.open('dispute', callerOf(resellerId), requestFor('dispute', payment))
    numbers.unshift(numberOf(opened))
    await refuseCase(bench, numbers[0] as string, 'No')
  }
  const listed = await other.listOfPayment(resellerId, payment.id)
  expect(listed.map(({ number }) => number)).toEqual(numbers)
})

it('a dispute waits for a person in production, and for nobody in staging', async () => {
  const alertsAt = async (environment: 'production' | 'staging') => {
    const payment = await bench.succeed(resellerId)
    const cases = bench.casesAt(environment)
    const opened = await cases.open('dispute', callerOf(resellerId), requestFor('dispute', payment))
    return bench.alertsAbout(numberOf(opened))
  }
  expect(await alertsAt('production')).toEqual([{ kind: 'case_waiting', severity: 'warning' }])
  expect(await alertsAt('staging')).toEqual([])
})
