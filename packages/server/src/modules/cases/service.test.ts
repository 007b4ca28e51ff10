import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, Statement } from '../../db/database.ts'
import { joined } from '../../db/joined.ts'
import type { CasesBench } from '../../testing/cases.ts'
import {
  BILL,
  callerOf,
  numberOf,
  openCasesBench,
  REGISTERED,
  RELOAD,
  requestFor,
  WITHDRAWN,
} from '../../testing/cases.ts'
import {
  expectSoundMoney,
  payWith,
  untilWaiting,
  withStatementHooks,
} from '../../testing/payments/payments.ts'
import { FAILED, PENDING } from '../../testing/providers/scripted-provider.ts'
import { createTestClocks } from '../payments/core/clock.service.ts'
import { approveCase, getAnyCase, refuseCase, resolveDispute } from './operators.service.ts'
import type { Cases } from './service.ts'
import type { CaseFilter } from './types.ts'

let bench: CasesBench
let staging: Cases
let production: Cases

beforeAll(async () => {
  bench = await openCasesBench()
  staging = bench.casesAt('staging')
  production = bench.casesAt('production')
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

const newReseller = () => bench.newReseller(1_000_000n)
const context = () => ({ database: bench.database })
const ANY: CaseFilter = { state: null, kind: null, fromMs: null, untilMs: null, beforeId: null, limit: 50 }

describe.each(['dispute', 'void'] as const)('a %s', (kind) => {
  it('a case is opened for a payment that succeeded, by its id or its refid', async () => {
    const resellerId = await newReseller()
    const caller = callerOf(resellerId)
    const one = await bench.succeed(resellerId)
    const other = await bench.succeed(resellerId)
    const byId = await staging.open(kind, caller, requestFor(kind, one))
    const byRefid = await staging.open(
      kind,
      caller,
      requestFor(kind, one, { payment: { refid: other.refid } }),
    )
    expect(byId).toEqual({
      kind: 'opened',
      refid: one.refid,
      number: expect.stringMatching(/^C-\d{4}-\d{6}$/),
    })
    expect(byRefid).toMatchObject({ kind: 'opened', refid: other.refid })
    expect(numberOf(byRefid)).not.toBe(numberOf(byId))
  })

  it('a payment of another account, and one that does not exist, are unknown in the same words', async () => {
    const [resellerId, stranger] = [await newReseller(), await newReseller()]
    const payment = await bench.succeed(resellerId)
    const refusals = await Promise.all(
      [
        requestFor(kind, payment),
        requestFor(kind, { id: 17n }),
        requestFor(kind, payment, { payment: { refid: payment.refid } }),
        requestFor(kind, payment, { payment: undefined }),
      ].map((request) => staging.open(kind, callerOf(stranger), request).catch((error: unknown) => error)),
    )
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ status: 400, fields: { trxid: ['The transaction was not found.'] } })
      expect(refusal).toMatchObject({ publicText: 'The transaction was not found.' })
    }
  })

  it('a payment that is not final yet is refused', async () => {
    const resellerId = await newReseller()
    const accepted = await payWith(bench.node, resellerId, { product: BILL })
    const processing = await payWith(bench.node, resellerId, { product: BILL })
    await bench.node.resolver.submit({ resellerId, id: processing.id, outcome: PENDING, nextMs: 1_000 })
    for (const payment of [accepted, processing]) {
      await expect(staging.open(kind, callerOf(resellerId), requestFor(kind, payment))).rejects.toMatchObject(
        {
          status: 400,
          fields: { trxid: [expect.stringContaining('not final')] },
        },
      )
    }
  })

  it('a payment that failed or was voided gets no case', async () => {
    const resellerId = await newReseller()
    const failed = await payWith(bench.node, resellerId, { product: RELOAD })
    await bench.node.resolver.submit({ resellerId, id: failed.id, outcome: FAILED, nextMs: 0 })
    const voided = await bench.succeed(resellerId)
    await bench.node.resolver.submit({ resellerId, id: voided.id, outcome: { kind: 'voided' }, nextMs: 0 })
    const open = (payment: { id: bigint }) =>
      staging.open(kind, callerOf(resellerId), requestFor(kind, payment))
    expect(await open(failed)).toEqual({ kind: 'failed_before', refid: failed.refid })
    expect(await open(voided)).toEqual({ kind: 'voided_before', refid: voided.refid })
    expect(await staging.list(resellerId, ANY)).toEqual({ cases: [], hasMore: false })
  })

  it('is refused while a case of either kind is open, and not when it is closed', async () => {
    const resellerId = await newReseller()
    const caller = callerOf(resellerId)
    const payment = await bench.succeed(resellerId)
    for (const earlier of ['dispute', 'void'] as const) {
      const number = numberOf(await staging.open(earlier, caller, requestFor(earlier, payment)))
      expect(await staging.open(kind, caller, requestFor(kind, payment))).toEqual({
        kind: 'already_open',
        refid: payment.refid,
      })
      await refuseCase(context(), number, 'No')
    }
    expect(await staging.open(kind, caller, requestFor(kind, payment))).toMatchObject({ kind: 'opened' })
  })
})

it('a case that is asked for while another one is being opened waits for that one, and finds it', async () => {
  const resellerId = await newReseller()
  const payment = await bench.succeed(resellerId)
  const askOn = (database: Database) =>
    bench
      .casesAt('production', database)
      .open('dispute', callerOf(resellerId), requestFor('dispute', payment))
  const { first, waiting } = await bench.database.transaction(async (tx) => {
    const opened = await askOn(joined(tx, bench.database))
    const second = askOn(bench.database)
    await untilWaiting(bench.database, 'open_case', 1)
    return { first: opened, waiting: second }
  })
  expect([first.kind, (await waiting).kind]).toEqual(['opened', 'already_open'])
})

describe('a request whose answer is lost', () => {
  const lost = (times: number) => {
    let left = times
    return withStatementHooks(bench.database, {
      after() {
        left -= 1
        if (left < 0) return
        throw new Error('Connection terminated unexpectedly')
      },
    })
  }
  /** Loses the answers to open_case only; earlier reads are not lost. */
  const losing = (times: number) => {
    const losingDatabase = lost(times)
    const opensCase = (statement: unknown) => JSON.stringify(statement).includes('open_case')
    return bench.casesAt('staging', {
      ...bench.database,
      query: (statement, values) =>
        (opensCase(statement) ? losingDatabase : bench.database).query(statement, values),
    })
  }

  it('is run again, and knows the case that it made', async () => {
    const resellerId = await newReseller()
    const payment = await bench.succeed(resellerId)
    const request = requestFor('dispute', payment)
    const result = await losing(1).open('dispute', callerOf(resellerId), request)
    const { cases } = await staging.list(resellerId, ANY)
    expect(cases.map(({ number }) => number)).toEqual([numberOf(result)])
    expect(await bench.messagesOf(numberOf(result))).toHaveLength(1)
    expect(await staging.open('dispute', callerOf(resellerId), requestFor('dispute', payment))).toMatchObject(
      {
        kind: 'already_open',
      },
    )
  })

  it('knows it also when it was closed meanwhile, or its payment voided', async () => {
    const resellerId = await newReseller()
    const { database } = bench
    for (const close of [
      (number: string) => refuseCase(context(), number, 'No'),
      (number: string) => approveCase(context(), number, { evidence: 'letter' }),
    ]) {
      const payment = await bench.succeed(resellerId)
      let made: string | undefined
      const cases = bench.casesAt('production', {
        ...database,
        async query<R extends object>(statement: Statement | string, values?: readonly unknown[]) {
          const result = await database.query<R>(statement, values)
          if (!JSON.stringify(statement).includes('open_case') || made !== undefined) return result
          made = (result.rows[0] as { number?: string } | undefined)?.number ?? ''
          await close(made)
          throw new Error('Connection terminated unexpectedly')
        },
      })
      const result = await cases.open('void', callerOf(resellerId), requestFor('void', payment))
      expect(result).toEqual({ kind: 'opened', refid: payment.refid, number: made })
    }
  })

  it('twice is 504, never a word that nothing was done', async () => {
    const resellerId = await newReseller()
    const payment = await bench.succeed(resellerId)
    const opened = losing(2).open('dispute', callerOf(resellerId), requestFor('dispute', payment))
    await expect(opened).rejects.toMatchObject({ status: 504 })
  })
})

describe('a void', () => {
  it('a void of a product that is not refundable is refused; a dispute of it is not', async () => {
    const resellerId = await newReseller()
    const payment = await bench.succeed(resellerId, { product: RELOAD })
    const open = (kind: 'void' | 'dispute') =>
      staging.open(kind, callerOf(resellerId), requestFor(kind, payment))
    await expect(open('void')).rejects.toMatchObject({ status: 400, fields: { trxid: [expect.any(String)] } })
    expect(await open('dispute')).toMatchObject({ kind: 'opened' })
    expect(await open('void')).toEqual({ kind: 'already_open', refid: payment.refid })
  })

  it('a void of a product that the catalogue no longer has is refused', async () => {
    const resellerId = await newReseller()
    const payment = await bench.succeed(resellerId, { product: 'GONE' })
    await expect(
      staging.open('void', callerOf(resellerId), requestFor('void', payment)),
    ).rejects.toMatchObject({
      status: 400,
    })
  })

  it('a void of a refundable product that was withdrawn and hidden is taken', async () => {
    const resellerId = await newReseller()
    const payment = await bench.succeed(resellerId, { product: WITHDRAWN })
    expect(await staging.open('void', callerOf(resellerId), requestFor('void', payment))).toMatchObject({
      kind: 'opened',
    })
  })

  it('is put to the provider in production; in staging for the two void accounts alone', async () => {
    const resellerId = await newReseller()
    const isAsked = async (cases: Cases, account: string) => {
      const payment = await bench.succeed(resellerId, { account })
      const number = numberOf(await cases.open('void', callerOf(resellerId), requestFor('void', payment)))
      return (await bench.caseOf(number)).is_asked
    }
    expect(await isAsked(production, '60123456789')).toBe(true)
    expect(await isAsked(staging, '60123456789')).toBe(false)
    expect(await isAsked(staging, '60123454001')).toBe(true)
    expect(await isAsked(staging, '60123454002')).toBe(true)
  })
})

describe('the account of a case', () => {
  it('is told of each change in the feed, and by a notice that names the copies', async () => {
    const resellerId = await newReseller()
    const payment = await bench.succeed(resellerId)
    const request = requestFor('dispute', payment, { emails: ['a@example.com', REGISTERED.toUpperCase()] })
    const number = numberOf(await production.open('dispute', callerOf(resellerId), request))
    await resolveDispute(context(), number, 'It was delivered.')
    const common = { number, kind: 'dispute', refid: payment.refid }
    const told = [
      { ...common, state: 'open', message: 'A check of the transaction is requested.' },
      { ...common, state: 'resolved', message: 'It was delivered.' },
    ]
    expect((await bench.factsOf(resellerId)).filter(({ type }) => type.startsWith('case.'))).toEqual([
      { type: 'case.opened', data: { ...told[0], transaction_id: String(payment.id) } },
      { type: 'case.resolved', data: { ...told[1], transaction_id: String(payment.id) } },
    ])
    const cc = ['a@example.com', REGISTERED.toUpperCase()]
    expect(await bench.noticesOf(resellerId)).toEqual([
      { kind: 'case', data: { ...told[0], cc } },
      { kind: 'case', data: { ...told[1], cc } },
    ])
  })

  it('is copied at the address that the account has by then', async () => {
    const resellerId = await newReseller()
    const payment = await bench.succeed(resellerId)
    const request = requestFor('dispute', payment, { emails: ['a@example.com', 'A@example.com'] })
    const number = numberOf(await staging.open('dispute', callerOf(resellerId), request))
    const copies = async () => (await staging.get(resellerId, number)).copies
    expect(await copies()).toEqual([REGISTERED, 'a@example.com'])
    await bench.database.query(`update resellers set email = 'new@example.com' where id = $1`, [resellerId])
    expect(await copies()).toEqual(['new@example.com', 'a@example.com'])
    expect((await bench.caseOf(number)).cc).toEqual(['a@example.com'])
  })

  it('sees the newest messages, however many there are', async () => {
    const resellerId = await newReseller()
    const payment = await bench.succeed(resellerId)
    const opened = await staging.open('dispute', callerOf(resellerId), requestFor('dispute', payment))
    const { id } = await bench.caseOf(numberOf(opened))
    await bench.database.query(
      `insert into case_messages (reseller_id, case_id, author, text, at)
       select $1, $2, 'operator', 'message ' || n, now() from generate_series(1, 600) n`,
      [resellerId, id],
    )
    for (const { messages } of [
      await staging.get(resellerId, numberOf(opened)),
      await getAnyCase(context(), numberOf(opened)),
    ]) {
      expect(messages).toHaveLength(500)
      expect([messages[0]?.text, messages.at(-1)?.text]).toEqual(['message 101', 'message 600'])
    }
  })

  it('sees the case, and nobody else does', async () => {
    const [resellerId, stranger] = [await newReseller(), await newReseller()]
    const payment = await bench.succeed(resellerId)
    const refund = { type: 3, reason: 'moved house' } as const
    const request = requestFor('void', payment, { emails: ['a@example.com'], refund })
    const number = numberOf(await staging.open('void', callerOf(resellerId), request))
    expect(await staging.get(resellerId, number)).toMatchObject({
      case: {
        number,
        kind: 'void',
        state: 'open',
        paymentId: payment.id,
        refund,
        cc: ['a@example.com'],
      },
      copies: [REGISTERED, 'a@example.com'],
      messages: [{ author: 'reseller', text: 'A void of the transaction is requested: moved house' }],
    })
    for (const [whose, name] of [
      [stranger, number],
      [resellerId, 'C-2026-999999'],
      [resellerId, 'C-2026-0000\0'],
    ] as const) {
      await expect(staging.get(whose, name)).rejects.toMatchObject({
        status: 404,
        publicText: 'There is no such case.',
      })
    }
    expect(await staging.list(stranger, ANY)).toEqual({ cases: [], hasMore: false })
  })
})

it('cases are listed newest first, page by page, by state, kind and time', async () => {
  const resellerId = await newReseller()
  const caller = callerOf(resellerId)
  const numbers: string[] = []
  for (const kind of ['dispute', 'void', 'dispute', 'void', 'dispute'] as const) {
    const payment = await bench.succeed(resellerId)
    numbers.unshift(numberOf(await staging.open(kind, caller, requestFor(kind, payment))))
  }
  await refuseCase(context(), numbers[0] as string, 'No')
  const list = async (change: Partial<CaseFilter>) => {
    const { cases, hasMore } = await staging.list(resellerId, { ...ANY, ...change })
    return { numbers: cases.map(({ number }) => number), hasMore }
  }
  expect(await list({})).toEqual({ numbers, hasMore: false })
  expect(await list({ limit: 5 })).toEqual({ numbers, hasMore: false })
  expect(await list({ limit: 2 })).toEqual({ numbers: numbers.slice(0, 2), hasMore: true })
  const { id: beforeId } = await bench.caseOf(numbers[1] as string)
  expect(await list({ limit: 2, beforeId })).toEqual({ numbers: numbers.slice(2, 4), hasMore: true })
  expect(await list({ state: 'refused' })).toEqual({ numbers: [numbers[0]], hasMore: false })
  expect(await list({ state: 'open' })).toEqual({ numbers: numbers.slice(1), hasMore: false })
  expect(await list({ kind: 'void' })).toEqual({ numbers: [numbers[1], numbers[3]], hasMore: false })
  const minute = 60_000
  expect(await list({ fromMs: Date.now() + minute })).toEqual({ numbers: [], hasMore: false })
  expect(await list({ untilMs: Date.now() - minute })).toEqual({ numbers: [], hasMore: false })
  expect(await list({ fromMs: Date.now() - minute, untilMs: Date.now() + minute })).toMatchObject({ numbers })
})

it('the test clock brings the due times of an account’s open cases nearer, and of no others', async () => {
  const [resellerId, other] = [await newReseller(), await newReseller()]
  const open = async (whose: bigint) => {
    const payment = await bench.succeed(whose)
    return numberOf(await production.open('void', callerOf(whose), requestFor('void', payment)))
  }
  const [mine, closed, theirs] = [await open(resellerId), await open(resellerId), await open(other)]
  await refuseCase(context(), closed, 'No')
  const dueOf = async (whose: bigint, number: string) =>
    (await staging.get(whose, number)).case.dueAt.getTime()
  const dueTimes = () =>
    Promise.all([dueOf(resellerId, mine), dueOf(resellerId, closed), dueOf(other, theirs)])
  const [first, second, third] = await dueTimes()
  await createTestClocks(bench.database).advance(resellerId, 3_600)
  expect(await dueTimes()).toEqual([first - 3_600_000, second, third])
})
