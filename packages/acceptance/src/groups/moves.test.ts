import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Node } from '../edge.ts'
import { balanceOf } from '../edge.ts'
import type { PayBody, Payer } from '../payments.ts'
import { createPayer, PHONE, payerAt, reload } from '../payments.ts'
import type { Service, TestDatabase } from '../service.ts'
import { createDatabase, makeDirectory, openService, stopServices, until } from '../service.ts'

// A service whose group "east" is moved to another database while it is paid over HTTP, and one that starts with the file
// from before the move.

const STARTER = new URL('../../../../docs/examples/starter-catalog.json', import.meta.url).pathname
const PAYMENT = { product: 'FIRSTRELOAD', account: PHONE, amount: 10 }
const EAST = { name: 'east', url: 'http://east.example' }
const PATIENT_MS = 300_000
const SENDERS = 8

let own: TestDatabase
let from: TestDatabase
let to: TestDatabase
let file: string
let service: Service
let payer: Payer
const masterKey = randomBytes(32).toString('base64')

const write = (groups: readonly object[]) =>
  writeFile(file, JSON.stringify({ groups, servers: [{ name: 'south', database_url: to.url }] }))
const nodeOf = (at: Service): Node => ({
  baseUrl: at.baseUrl,
  warungd: (...args) => at.warungd(...args, '--group', 'east'),
})

beforeAll(async () => {
  own = await createDatabase()
  from = await createDatabase({ schema: 'none' })
  to = await createDatabase({ schema: 'none' })
  file = join(await makeDirectory(), 'groups.json')
  await write([])
  service = await openService({ database: own, masterKey, environment: { WARUNG_GROUPS: file } })
  await service.warungd('catalog', 'import', '--file', STARTER)
}, PATIENT_MS)
afterAll(async () => {
  await stopServices()
  for (const database of [own, from, to]) await database.drop()
})

type Readiness = { groups: { status: string; carried: { version: number; behind: number } | null }[] }

const isReady = async () =>
  (await service.get('/readyz'))
    .json<Readiness>()
    .groups.some(
      ({ status, carried }) =>
        status === 'ready' && carried !== null && carried.version > 0 && carried.behind === 0,
    )

it('a group that is added to the file is opened without a start, and a file that is wrong changes nothing', async () => {
  await write([{ ...EAST, database_url: from.url }])
  await service.warungd('group', 'create', 'east')
  await until('east is open', isReady)
  payer = await createPayer(nodeOf(service), '100000')
  await writeFile(file, '{')
  await until('the file is refused', async () => service.output().includes('the earlier one holds'))
  await until('the catalogue is known', async () => {
    return (await payer.send({ ...reload(), ...PAYMENT })).status === 200
  })
  await write([{ ...EAST, database_url: from.url }])
})

it(
  'a group that is moved while it is paid loses no acknowledged payment, and each refid stands for one',
  async () => {
    const before = await payer.balance()
    const acknowledged: PayBody[] = []
    const refused: number[] = []
    let slowestMs = 0
    let isOver = false
    const senders = Array.from({ length: SENDERS }, async () => {
      while (!isOver) {
        const body = { ...reload(), ...PAYMENT }
        // A sender repeats a refid until it is told what became of it, as resellers do.
        for (let answered = false; !answered; ) {
          const startedMs = performance.now()
          const { status } = await payer.send(body)
          slowestMs = Math.max(slowestMs, performance.now() - startedMs)
          answered = status === 200
          if (answered) acknowledged.push(body)
          else refused.push(status)
        }
      }
    })
    let report: Record<string, unknown>
    try {
      report = await service.warungd('group', 'move', 'east', '--to', 'south')
    } finally {
      isOver = true
      await Promise.all(senders)
    }
    process.stdout.write(
      `held ${report.held_ms} ms, slowest answer ${Math.round(slowestMs)} ms, ${acknowledged.length} payments, ` +
        `refused ${JSON.stringify(refused)}\n`,
    )
    expect(report).toMatchObject({ state: 'moved', kept: 'east_old_1', after: { rows: expect.any(Number) } })
    expect(refused.filter((status) => status !== 503)).toEqual([])
    for (const body of acknowledged) await payer.untilStatus(body, 'Succesful')
    const { rows } = await to.query(
      `select count(*)::int as payments, count(distinct refid)::int as refids from east.payments`,
    )
    expect(rows[0].payments).toBe(rows[0].refids)
    expect(rows[0].payments).toBe(acknowledged.length + 1)
    expect(await payer.balance()).toBeLessThan(before)
    expect(await service.warungd('group', 'verify', 'east')).toMatchObject({ ok: true })
  },
  PATIENT_MS,
)

it('the list, the file and the log say where it is, and a second move to there is refused', async () => {
  const database = new URL(to.url).pathname.slice(1)
  expect(await service.warungd('group', 'list')).toMatchObject({
    groups: [
      { name: '(first)' },
      { name: 'east', server: expect.stringMatching(/:\d+$/), database, state: 'ready' },
    ],
  })
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    groups: [{ ...EAST, database_url: to.url }],
    servers: [{ name: 'south', database_url: to.url }],
  })
  const { rows } = await to.query(`select before, after from east.audit_log where action = 'group.move'`)
  expect(rows).toHaveLength(1)
  const again = await service.tryWarungd('group', 'move', 'east', '--to', 'south')
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('already')])
  const unknown = await service.tryWarungd('group', 'move', 'east', '--to', 'north')
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('lists: south')])
})

it('a node that starts with the file from before the move serves it from its new place', async () => {
  const old = join(await makeDirectory(), 'groups.json')
  await writeFile(old, JSON.stringify({ groups: [{ ...EAST, database_url: from.url }] }))
  const late = await openService({ database: own, masterKey, environment: { WARUNG_GROUPS: old } })
  const same = payerAt(late, { ...payer.credentials, account: payer.account })
  await until('east is open there', async () => (await balanceOf(late, same.credentials)).status === 200)
  const body = { ...reload(), ...PAYMENT }
  await same.pay(body)
  await payer.untilStatus(body, 'Succesful')
  expect(await service.warungd('group', 'drop-old', 'east', '--at', 'south')).toMatchObject({ dropped: [] })
})
