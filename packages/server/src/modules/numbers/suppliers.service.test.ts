import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import type { LookupAnswer, Provider } from '../providers/port/types.ts'
import { createSupplierSigns } from './suppliers.service.ts'

let test: TestDatabase
let last = 0

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

const OPERATORS = [{ code: 'KITA', name: 'Kita', products: [] }]

function newQuestion() {
  last += 1
  return { number: `6012${String(last).padStart(7, '0')}`, country: 'MY', operators: OPERATORS }
}

/** Suppliers that answer so, with the count of their questions. */
function openSuppliers(...answers: (() => Promise<LookupAnswer>)[]) {
  const asked: string[] = []
  const providers = answers.map(
    (answer, index) =>
      ({
        code: `s${index}`,
        lookups: {
          lookUp({ number }: { number: string }) {
            asked.push(`s${index} ${number}`)
            return answer()
          },
        },
      }) as unknown as Provider,
  )
  const signs = createSupplierSigns({
    database: test.database,
    providers: { list: () => providers, takesOrders: () => true, isOpen: () => false },
    onProblem: () => {},
  })
  return { asked, ...signs }
}

const kita = async (): Promise<LookupAnswer> => ({ kind: 'found', operator: 'Kita Malaysia' })
const broken = () => Promise.reject(new Error('no answer'))

it('a number is asked about once a day, also when many nodes look at once, and the answer is kept', async () => {
  const question = newQuestion()
  const nodes = [openSuppliers(kita), openSuppliers(kita), openSuppliers(kita)]
  const signs = await Promise.all(nodes.map(({ ask }) => ask(question)))
  expect(nodes.flatMap(({ asked }) => asked)).toHaveLength(1)
  expect(signs.filter((sign) => sign !== undefined)).toMatchObject([{ operator: { code: 'KITA' } }])
  expect(await nodes[0]?.find(question)).toMatchObject({ source: 'supplier', operator: { code: 'KITA' } })
})

it('an answer counts for 30 days, and another question is due after one', async () => {
  const question = newQuestion()
  const suppliers = openSuppliers(kita)
  await suppliers.ask(question)
  const age = (days: number) =>
    test.database.query(
      `update number_lookups set asked_at = now() - make_interval(days => $2), answered_at = now() - make_interval(days => $2) where number = $1`,
      [question.number, days],
    )
  await age(29)
  expect(await suppliers.find(question)).toBeDefined()
  await age(31)
  expect(await suppliers.find(question)).toBeUndefined()
  expect(await suppliers.ask(question)).toBeDefined()
  expect(suppliers.asked).toHaveLength(2)
  await age(31)
  await suppliers.sweep()
  const { rows } = await test.database.query('select from number_lookups where number = $1', [
    question.number,
  ])
  expect(rows).toEqual([])
})

it('failures are silence: the next supplier is asked, and nobody waits longer than 800 ms', async () => {
  expect(await openSuppliers(broken, kita).ask(newQuestion())).toBeDefined()
  const hanging = openSuppliers(() => new Promise(() => {}), kita)
  const begunMs = performance.now()
  expect(await hanging.ask(newQuestion())).toBeUndefined()
  expect(performance.now() - begunMs).toBeGreaterThan(700)
  expect(hanging.asked).toHaveLength(1)
})

it('an operator that no plan names is not guessed', async () => {
  const question = newQuestion()
  const other = openSuppliers(async () => ({ kind: 'found', operator: 'Somebody Else' }))
  expect(await other.ask(question)).toBeUndefined()
  expect(
    await other.find({ ...question, operators: [{ code: 'SE', name: 'Somebody', products: [] }] }),
  ).toBeDefined()
})
