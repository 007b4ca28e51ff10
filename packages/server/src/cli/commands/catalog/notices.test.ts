import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Env } from '../../../config.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { main } from '../../main.ts'

let test: TestDatabase
let dataDir: string
let env: Env

beforeAll(async () => {
  test = await openTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'warung-notices-'))
  env = {
    DATABASE_URL: test.url,
    WARUNG_MASTER_KEY: test.masterKey.bytes.toString('base64'),
    WARUNG_DATA_DIR: dataDir,
  }
})

afterAll(async () => {
  await test.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function run(...args: string[]) {
  let out = ''
  const io = {
    out: (text: string) => {
      out += text
    },
    err: () => {},
    readInput: async () => '',
  }
  const code = await main(['notice', ...args, '--json'], io, env)
  return { code, document: JSON.parse(out) }
}

it('a notice is added, listed while it is open, and ended', async () => {
  const added = await run('add', '--provider', 'simulator', '--message', 'Slow today', '--by', 'Aminah')
  expect(added).toMatchObject({
    code: 0,
    document: {
      state: 'in_force',
      target: 'provider',
      code: 'simulator',
      stops_payments: false,
      ends_at: null,
      ended_at: null,
      created_by: 'Aminah',
      message: 'Slow today',
    },
  })
  const { id } = added.document
  expect((await run('list')).document).toEqual([added.document])
  expect(await run('end', '--id', id)).toMatchObject({ code: 0, document: { id, state: 'over' } })
  expect((await run('list')).document).toEqual([])
  expect((await run('list', '--all')).document).toMatchObject([{ id, ended_at: expect.any(String) }])
  expect(await run('end', '--id', id)).toMatchObject({ code: 1, document: { error: { code: 'not_found' } } })
})

it('a notice for later is scheduled until then', async () => {
  const times = ['--starts', '2099-01-01T00:00:00+08:00', '--ends', '2099-01-01T02:00:00+08:00']
  const { document } = await run('add', '--provider', 'simulator', '--message', 'x', ...times)
  expect(document).toMatchObject({
    state: 'scheduled',
    starts_at: '2098-12-31T16:00:00.000Z',
    ends_at: '2098-12-31T18:00:00.000Z',
    created_by: 'operator',
  })
  expect(await run('end', '--id', document.id)).toMatchObject({ document: { state: 'over' } })
})

it.each([
  [['add', '--message', 'x']],
  [['add', '--product', 'NOVA', '--category', 'WATER', '--message', 'x']],
  [['add', '--product', 'NOVA']],
  [['end', '--id', 'first']],
])('%j is not how it is called', async (args) => {
  expect((await run(...args)).code).toBe(2)
})

it.each([
  [['--provider', 'simulator', '--message', 'x', '--stops-payments'], 'stops_payments'],
  [['--provider', 'simulator', '--message', 'x', '--ends', '2020-01-01T00:00:00Z'], 'ends'],
])('%j is refused with the field named', async (args, field) => {
  const ran = await run('add', ...args)
  expect(ran.code).toBe(1)
  expect(Object.keys(ran.document.error.fields)).toEqual([field])
})
