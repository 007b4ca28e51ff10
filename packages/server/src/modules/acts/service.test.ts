import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { input, member, optionalMember } from '../../http/codec.ts'
import { RequestError } from '../../lib/errors.ts'
import { BOOLEAN, text, wholeNumber } from '../../lib/input/fields.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { createAuditLog, listAudit } from '../audit/service.ts'
import type { AuditCaller, AuditLog } from '../audit/types.ts'
import { act, executorOf, perform } from './service.ts'
import type { AskedAct, By, Given } from './types.ts'

const SITI: AuditCaller = {
  kind: 'operator',
  operatorId: 7n,
  email: 'siti@example.com',
  via: 'session',
  credentialId: '41',
  address: '203.0.113.9',
}

type World = { readonly sizeMax: number }

/** Makes a thing. A large one needs a second person, and nobody makes one called "ban". */
const makeThing = act({
  name: ({ isSecret }: { readonly isSecret?: boolean | undefined }) =>
    isSecret === true ? 'thing.hide' : 'thing.create',
  input: input({
    name: member(text(1, 20)),
    thingSize: member(wholeNumber(1, 100)),
    isSecret: optionalMember(BOOLEAN),
  }),
  async lock(tx) {
    await tx.query('lock table things in exclusive mode')
  },
  approval: {
    kind: 'thing_create',
    target: ({ name }, { seal }) => ({ kind: 'thing', id: `${name}/${seal}` }),
    write: ({ name, thingSize }) => ({ name, size: String(thingSize) }),
    read: ({ name, size }) => ({ name: String(name), thingSize: Number(size), isSecret: undefined }),
  },
  async run(tx, { name, thingSize: size }, { consent, world }: By<World>) {
    const { rows } = await tx.query('select from things where name = $1 and size = $2', [name, size])
    if (rows.length > 0) return { unchanged: { name, size } }
    await tx.query('insert into things values ($1, $2)', [name, size])
    if (name === 'ban') {
      return { refuse: new RequestError({ status: 409, code: 'banned', publicText: 'It is banned.' }) }
    }
    if (consent.kind === 'alone' && size > world.sizeMax) {
      return { ask: { shown: { seal: `seal of ${size}` }, view: { size } } }
    }
    return { target: { kind: 'thing', id: name }, before: null, after: { size }, result: { name, size } }
  },
})

let test: TestDatabase
let log: AuditLog
let asked: AskedAct[]

beforeAll(async () => {
  test = await openTestDatabase()
  log = createAuditLog(test)
  await test.database.query('create table things (name text primary key, size integer not null)')
})
beforeEach(async () => {
  asked = []
  await test.database.query('delete from things')
})
afterAll(() => test.close())

function make(values: Readonly<Record<string, unknown>>, more: Partial<Given> = {}) {
  const ask = async (_caller: AuditCaller, request: AskedAct) => asked.push(request)
  const stage = { log, ask, world: { sizeMax: 10 } }
  return perform(stage, makeThing, { caller: SITI, input: values, reason: 'because', ...more })
}

async function things(): Promise<unknown[]> {
  return (await test.database.query('select name, size from things order by name')).rows
}

async function linesAbout(target: string) {
  const all = {
    actor: null,
    action: null,
    targetKind: null,
    fromMs: null,
    untilMs: null,
    beforeSequence: null,
  }
  return listAudit(log, { ...all, target, limit: 10 })
}

it('an act that is done leaves its change and one line, under its name', async () => {
  const outcome = await make({ name: 'cup', thing_size: 3, is_secret: true })
  expect(outcome).toEqual({ kind: 'done', result: { name: 'cup', size: 3 } })
  expect(await things()).toEqual([{ name: 'cup', size: 3 }])
  expect(await linesAbout('cup')).toMatchObject([
    { action: 'thing.hide', after: '{"size":3}', reason: 'because', actor: 'siti@example.com' },
  ])
})

it('an act that was done before answers with its result, and leaves no second line', async () => {
  await make({ name: 'lid', thing_size: 4 })
  expect(await make({ name: 'lid', thing_size: 4 })).toEqual({
    kind: 'done',
    result: { name: 'lid', size: 4 },
  })
  expect(await linesAbout('lid')).toHaveLength(1)
})

it('an input that breaks its rules is refused with every problem, by the names of the wire', async () => {
  await expect(make({ name: '', thing_size: 0 })).rejects.toMatchObject({
    status: 400,
    fields: { name: [expect.any(String)], thing_size: [expect.any(String)] },
  })
  expect(await things()).toEqual([])
})

it('a rehearsal answers as if it were done, and leaves neither change nor line', async () => {
  const outcome = await make({ name: 'jug', thing_size: 50 }, { isDry: true })
  expect(outcome).toEqual({ kind: 'done', result: { name: 'jug', size: 50 } })
  expect(await things()).toEqual([])
  expect(await linesAbout('jug')).toEqual([])
})

it('an act that needs a second person is undone and asked for, with what was shown', async () => {
  const outcome = await make({ name: 'pot', thing_size: 50 })
  expect(outcome).toEqual({ kind: 'asked', asked: 1, view: { size: 50 } })
  expect(asked).toMatchObject([
    {
      kind: 'thing_create',
      target: { kind: 'thing', id: 'pot/seal of 50' },
      command: { name: 'pot', size: '50', seal: 'seal of 50' },
      reason: 'because',
    },
  ])
  expect(await things()).toEqual([])
  expect(await linesAbout('pot')).toEqual([])
})

it('a refusal is a value, and its change is undone', async () => {
  const outcome = await make({ name: 'ban', thing_size: 1 })
  expect(outcome).toMatchObject({ kind: 'refused', error: { code: 'banned' } })
  expect(await things()).toEqual([])
})

it('an approval carries out the same act, in the transaction of the decision', async () => {
  const execute = executorOf(makeThing, { sizeMax: 10 }, ({ size }) => ({ size: String(size) }))
  const approval = {
    id: 4n,
    reason: 'needed',
    command: { name: 'vat', size: '50', seal: 'seal of 50' },
    requestedBy: { id: 7n, email: 'siti@example.com' },
    approvedBy: { kind: 'operator', id: 8n, name: 'ali@example.com' },
  }
  const done = await test.database.transaction((tx) => execute(tx, test.database, approval))
  expect(done).toMatchObject({ target: { id: 'vat' }, after: { size: 50 }, result: { size: '50' } })
  expect(await things()).toEqual([{ name: 'vat', size: 50 }])
})
