import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSerial } from '../../../lib/serial.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { createAuditLog, listAudit } from '../../audit/service.ts'
import type { AuditFilter, AuditLog } from '../../audit/types.ts'
import { verifyAudit } from '../../audit/verify.service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import type { CatalogContext } from './catalog.service.ts'
import { applyCatalogue } from './catalog.service.ts'
import type { CatalogWork } from './catalog-jobs.service.ts'
import { doCatalogJob } from './catalog-jobs.service.ts'

const CALLER: OperatorCaller = {
  kind: 'operator',
  operatorId: 7n,
  email: 'siti@example.com',
  name: 'Siti',
  role: 'catalogue',
  via: 'session',
  credentialId: '41',
  address: '203.0.113.9',
}
const ALL: AuditFilter = {
  actor: null,
  action: 'catalogue.import',
  targetKind: 'catalogue',
  target: null,
  fromMs: null,
  untilMs: null,
  beforeSequence: null,
  limit: 1_000,
}

let test: TestDatabase
let log: AuditLog

beforeAll(async () => {
  test = await openTestDatabase()
  log = createAuditLog(test)
})
afterAll(() => test.close())

function bodyOf(content: object) {
  return { contentType: 'application/json', bytes: Buffer.from(JSON.stringify(content)) }
}

const NOBODY_ASKED: CatalogContext['approvals'] = {
  request: () => Promise.reject(new Error('one person is enough')),
}

/** Does the job on this thread. */
const work: CatalogWork = (job) => doCatalogJob(log, job, 20) as never

async function importLevels(from: number, count: number, context: Partial<CatalogContext> = {}) {
  const levels = Array.from({ length: count }, (_, n) => ({
    code: `L${from + n}`,
    name: `Level ${from + n} ${'x'.repeat(70)}`,
  }))
  const document = { levels }
  const { summary } = await work({ kind: 'preview', body: bodyOf({ document }) })
  const catalog = { refresh: async () => {} } as unknown as CatalogContext['catalog']
  const body = bodyOf({ document, expected_version: summary.version, reason: 'Levels' })
  await applyCatalogue(
    {
      catalog,
      turn: createSerial(1),
      work,
      log,
      approvals: NOBODY_ASKED,
      priceChangeMaxPercent: 20,
      ...context,
    },
    CALLER,
    body,
  )
  const rows = await listAudit(log, { ...ALL, target: String(summary.version) })
  return rows.reverse().map(({ after }) => JSON.parse(after ?? 'null'))
}

it('an import leaves in the log everything that it made, in as many rows as that takes', async () => {
  const small = await importLevels(0, 1)
  expect(small).toEqual([
    expect.objectContaining({
      differences_total: 1,
      differences: [
        {
          kind: 'levels',
          id: 'L0',
          action: 'create',
          changes: [
            { name: 'code', before: null, after: 'L0' },
            { name: 'name', before: null, after: expect.stringContaining('Level 0') },
          ],
        },
      ],
    }),
  ])
  const large = await importLevels(1, 1_500)
  const [whole] = large.slice(-1)
  const pieces = large.slice(0, -1)
  expect(pieces.length).toBeGreaterThan(3)
  expect(whole).toMatchObject({
    differences_total: 1_500,
    pieces: pieces.length,
    differences_left_out: 0,
    summary: { created: { levels: 1_500 } },
  })
  expect(pieces.map(({ piece }) => piece)).toEqual(pieces.map((_, index) => index + 1))
  const ids = pieces.flatMap(({ differences }) => differences.map(({ id }: { id: string }) => id))
  expect(new Set(ids).size).toBe(1_500)
  expect((await verifyAudit(log)).broken).toBeUndefined()
})

it('a change that is made is told, even where this node cannot look at it just now', async () => {
  const refresh = () => Promise.reject(new Error('the database is out of reach'))
  const catalog = { refresh } as unknown as CatalogContext['catalog']
  expect(await importLevels(5_000, 1, { catalog })).toHaveLength(1)
})

it('a document that is too deep is refused in words, however deep it is', async () => {
  const nested = (levels: number) => `{"document":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`
  const preview = (levels: number) =>
    work({ kind: 'preview', body: { contentType: 'application/json', bytes: Buffer.from(nested(levels)) } })
  await expect(preview(33)).rejects.toMatchObject({
    status: 400,
    fields: { document: [expect.stringContaining('32 levels')] },
  })
  // The depth is checked on the bytes, before anything is parsed.
  await expect(preview(200_000)).rejects.toMatchObject({
    status: 400,
    publicText: expect.stringContaining('64 levels'),
  })
})
