import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Operation, OperationInput, OperationOutput } from '../../http/operation.ts'
import type { Turns } from '../../lib/turns.ts'
import { createTurns } from '../../lib/turns.ts'
import type { FinanceBench } from '../../testing/finance.ts'
import { at, openFinanceBench } from '../../testing/finance.ts'
import type { Reseller } from '../accounts/types.ts'
import type { FinanceApi, Table } from './apis.types.ts'
import { financeOperations } from './routes.ts'

let bench: FinanceBench
let reseller: Reseller

beforeAll(async () => {
  bench = await openFinanceBench()
  reseller = await bench.newReseller('Kedai')
  await bench.post(reseller.id, { kind: 'deposit', amount: 5n, at: at('2026-10-01 00:00'), remarks: 'in' })
})
afterAll(() => bench.close())

/** Operations that add each file to `sent` in place of sending it. */
function operations(reads: Turns, sent: Table[] = []): Operation[] {
  const api: Partial<FinanceApi<undefined>> = {
    prefix: '',
    operationIds: { month: 'm', csv: 'c', pdf: 'p', compare: 'r' },
    tag: '',
    ownerOf: async () => reseller,
    send: async (_, table) => {
      sent.push(table)
      return { status: 200, body: Buffer.alloc(0) }
    },
    reads,
    database: bench.database,
    now: () => new Date(),
    issuer: 'Operator',
  }
  return financeOperations(api as FinanceApi<undefined>).filter(({ method }) => method === 'GET')
}

function ask({ handle }: Operation): Promise<OperationOutput> {
  const input = { caller: undefined, params: {}, query: { month: '2026-10' }, request: {} }
  return handle(input as unknown as OperationInput<never, never, never, never>)
}

/** Returns a promise to wait for, and a function that resolves it. */
function hold() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { ended, end }
}

it('statements are opened in turns, and the entries of a file are read after its turn', async () => {
  const reads = createTurns({ atOnceMax: 1, perOwnerMax: 1, waitingPerOwnerMax: 0, waitMs: 600_000 })
  const held = hold()
  const before = reads.take(reseller.id, () => held.ended)
  for (const each of operations(reads)) {
    await expect(ask(each), each.path).rejects.toMatchObject({ status: 429 })
  }
  held.end()
  await before
  const answers: OperationOutput[] = []
  const sent: Table[] = []
  for (const each of operations(reads, sent)) answers.push(await ask(each))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(sent).toHaveLength(1)
  const rows: (readonly string[])[] = []
  for (const table of sent) for await (const page of table.pages()) rows.push(...page)
  expect(rows.filter(([record]) => record === 'entry')).toHaveLength(1)
})
