import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { perform } from '../../../modules/acts/service.ts'
import type { Act, AskedAct, Consent, Outcome } from '../../../modules/acts/types.ts'
import { createAuditLog } from '../../../modules/audit/service.ts'
import type { AuditCaller } from '../../../modules/audit/types.ts'
import { switchProvider } from '../../../modules/margins/routes.acts.ts'
import { addPackedProvider } from '../../../modules/providers/acts.ts'
import type { BookServer } from '../../../modules/providers/books/server.service.ts'
import { startBookServer } from '../../../modules/providers/books/server.service.ts'
import type { ConnectorKind, Secrets } from '../../../modules/providers/connections/connections.types.ts'
import { getBook } from '../../../modules/providers/packs/library.service.ts'
import { setProducts, upgradeProvider } from '../../../modules/providers/packs.acts.ts'
import { mapAnswer } from '../../../modules/providers/proofs/acts.ts'
import { proveProvider } from '../../../modules/providers/proofs/prove.service.ts'
import { collectUnknown } from '../../../modules/providers/proofs/unknown.service.ts'
import type { CommandLine } from '../../../testing/command-line.ts'
import { openCommandLine } from '../../../testing/command-line.ts'
import { connectHttp, openLoopback } from '../../../testing/providers/http-connection.ts'
import { UsageError } from '../../command.ts'
import { readProducts } from './pack-options.ts'

let line: CommandLine
let supplier: BookServer

beforeAll(async () => {
  line = await openCommandLine()
  Object.assign(line.env, { WARUNG_OUTBOUND_ALLOW: '127.0.0.0/8' })
  supplier = await startBookServer({ book: await getBook('zendit') })
  const secrets = join(line.folder, 'secrets.json')
  await writeFile(secrets, JSON.stringify({ api_key: 'test-key-4711', callback: 'callback-4711' }))
  const added = await run(
    'add',
    '--pack',
    'zendit',
    '--secrets-file',
    secrets,
    '--setting',
    `base_url=${supplier.url}`,
  )
  expect(added).toMatchObject({ code: 'zendit', kind: 'http', config: { base_url: supplier.url } })
})

afterAll(async () => {
  await supplier?.close()
  await line?.close()
})

async function run(...words: string[]): Promise<Record<string, unknown>> {
  const { out, err } = await line.run('provider', ...words, '--json')
  return JSON.parse(out === '' ? JSON.stringify({ failed: err }) : out) as Record<string, unknown>
}

it('a setting that the pack does not have, or that is missing, is told by name, and nothing is connected', async () => {
  const { code, out, err } = await line.run(
    'provider',
    'add',
    '--pack',
    'zendit',
    '--code',
    'x',
    '--setting',
    'colour=red',
  )
  expect([code, out + err]).toEqual([1, expect.stringContaining('settings.colour')])
  expect((await line.run('provider', 'add', '--pack', 'nobody')).err).toContain('pack')
})

it('a trial is refused where the address may be that of real orders, and kept with its date where it is not', async () => {
  expect(await run('prove', '--provider', 'zendit')).toMatchObject({
    error: { message: expect.stringContaining('--live-address') },
  })
  const { proofs } = await run('prove', '--provider', 'zendit', '--live-address', '--wait', '1')
  expect(proofs).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ claim: 'unknown_reference', at: expect.any(String), by: expect.any(String) }),
      expect.objectContaining({ claim: 'not_found_proves', result: 'not_tried' }),
    ]),
  )
  const { rows } = await line.test.database.query(
    `select action, after from audit_log where action = 'provider.prove'`,
  )
  expect(rows).toMatchObject([{ after: { unknown_reference: expect.any(String) } }])
  expect(JSON.stringify([proofs, rows])).not.toContain('4711')
})

it('test orders that name no code are sent only with the code of a product of the account', async () => {
  const server = await startBookServer({ book: await getBook('dtone') })
  const file = join(line.folder, 'dtone.json')
  await writeFile(file, JSON.stringify({ key: 'x', secret: 'x', callback: 'x' }))
  const callback = 'callback_url=https://warung.example/callbacks/dtone'
  const test = 'base_url=https://preprod-dvs-api.dtone.com/v1'
  await run('add', '--pack', 'dtone', '--secrets-file', file, '--setting', callback, '--setting', test)
  const outbound = openLoopback()
  const create = ({ config, secrets }: { config: unknown; secrets: Secrets }) =>
    connectHttp({ config: { ...(config as object), base_url: server.url }, secrets, outbound })
  const kinds = new Map([['http', { kind: 'http', check: () => [], create } as unknown as ConnectorKind]])
  const prove = async (supplierCode?: string) => {
    const proving = { ...line.test, kinds, code: 'dtone', mayBeLiveAddress: false, waitMs: 1, supplierCode }
    const results = await proveProvider(proving)
    return results.filter(({ claim }) => claim.startsWith('test_order_')).map(({ result }) => result)
  }
  expect(await prove()).toEqual(['not_tried', 'not_tried', 'not_tried', 'not_tried'])
  expect(server.mistakes()).toEqual([])
  expect(await prove('27182')).not.toContain('not_tried')
  // The book knows none of these numbers, and says so for each order that it got.
  expect(server.mistakes()).toContain('no scenario has the account +60123456100 or the product 27182')
  await server.close()
  await outbound.close()
})

it('an upgrade to the version that is there changes nothing, and a setting is changed by one', async () => {
  expect(await run('upgrade', '--provider', 'zendit')).toMatchObject({ accepted: false, differences: [] })
  const address = 'https://api.elsewhere.example'
  const words = ['upgrade', '--provider', 'zendit', '--setting', `base_url=${address}`]
  expect(await run(...words)).toMatchObject({
    differences: [{ path: 'base_url', next: address, kept: false }],
  })
  await run(...words, '--accept')
  expect(await run('show', '--code', 'zendit')).toMatchObject({ config: { base_url: address } })
})

const NOBODY_UNFINISHED = { countUnfinished: async () => 0 }
const operator = {
  kind: 'operator',
  id: 1n,
  email: 'one@example.com',
  address: null,
} as unknown as AuditCaller

async function performing<World, Input, Result>(
  act: Act<World, Input, Result>,
  input: Readonly<Record<string, unknown>>,
  consent: Consent = { kind: 'alone' },
): Promise<Outcome<Result, AskedAct>> {
  const { database, vault } = line.test
  const kinds = new Map([['http', { kind: 'http', check: () => [] } as unknown as ConnectorKind]])
  const world = { vault, kinds, maxPercent: 20, ...NOBODY_UNFINISHED } as unknown as World
  const log = createAuditLog({ database, vault })
  const ask = async (_caller: AuditCaller, asked: AskedAct) => asked
  return perform({ log, world, ask }, act, { caller: operator, input, reason: 'x', consent })
}

it('one operator alone prepares a supplier, and a second one approves that it takes orders', async () => {
  const secrets = { api_key: 'x', callback: 'x' }
  await performing(addPackedProvider, { pack: 'zendit', code: 'alone', secrets })
  const products = { code: 'alone', products: { NOVA: 'SKU' } }
  expect(await performing(setProducts, products)).toMatchObject({ kind: 'done' })
  const added = await run('show', '--code', 'alone')
  expect(added).toMatchObject({ enabled: false, config: { products: { NOVA: 'SKU' } } })
  const asked = await performing(switchProvider, { code: 'alone', enabled: true })
  const seal = (asked.kind === 'asked' && asked.asked.command.seal) || undefined
  expect(asked).toMatchObject({ kind: 'asked', asked: { kind: 'provider_switch' } })
  const by = {
    id: 2n,
    requestedBy: { id: 1n, email: 'one' },
    approvedBy: { kind: 'operator', id: 2n, name: 'two' },
  }
  const approved: Consent = { kind: 'approved', seal, approval: { ...by, reason: 'x' } }
  await performing(setProducts, { ...products, products: { NOVA: null } })
  expect(await performing(switchProvider, { code: 'alone', enabled: true }, approved)).toMatchObject({
    kind: 'refused',
  })
  expect(await run('enable', '--code', 'alone')).toMatchObject({ enabled: true })
  for (const [changing, input] of [
    [setProducts, products],
    [upgradeProvider, { code: 'alone', settings: { base_url: 'https://api.elsewhere.example' } }],
  ] as const) {
    expect(await performing(changing as typeof setProducts, input)).toMatchObject({ kind: 'asked' })
  }
  expect(await performing(upgradeProvider, { code: 'alone', secrets })).toMatchObject({ kind: 'refused' })
})

it('a meaning that decides payments needs a second person, and one that waits does not', async () => {
  const { rows } = await line.test.database.query<{ id: string }>(
    `insert into provider_unknown_answers (provider, operation, path, value, count, first_at, last_at, sample)
     values ('zendit', 'query', 'status', 'LATE', 1, now(), now(), '{}') returning id::text`,
  )
  const word = { code: 'zendit', id: rows[0]?.id }
  const asked = await performing(mapAnswer, { ...word, outcome: 'failed', failure: 52 })
  expect(asked).toMatchObject({ asked: { command: { value: 'LATE', outcome: 'failed', failure: '52' } } })
  expect(await performing(mapAnswer, { ...word, outcome: 'pending' })).toMatchObject({ kind: 'done' })
  const shown = JSON.stringify((await run('show', '--code', 'zendit')).config)
  expect(shown).toContain('"LATE":{"outcome":"pending"}')
})

it('words that no table knows are counted beside the payments, up to a limit', async () => {
  const words = collectUnknown({ database: line.test.database, onProblem: () => {} })
  const seen = { operation: 'query', path: 'status', sample: '{}' } as const
  words.note('zendit', { ...seen, value: 'ODD' })
  words.note('zendit', { ...seen, value: 'ODD' })
  words.note('nobody', { ...seen, value: 'ODD' })
  await words.write()
  for (let at = 0; at < 250; at += 1) words.note('zendit', { ...seen, value: `W${at}` })
  words.note('zendit', { ...seen, value: 'ODD' })
  await words.close()
  const { rows } = await line.test.database.query(
    `select value, count::int from provider_unknown_answers where provider = 'zendit' order by count desc`,
  )
  expect(rows[0]).toEqual({ value: 'ODD', count: 3 })
  expect(rows.length).toBe(200)
})

it('products are given with the code of one product, or of each of its amounts', () => {
  expect(readProducts([])).toBeUndefined()
  expect(readProducts(['NOVA=A=1', 'KITA:10.00=B', 'KITA:20=C'])).toEqual({
    NOVA: 'A=1',
    KITA: { by_amount: { '10.00': 'B', '20': 'C' } },
  })
  expect(readProducts(['NOVA:10.00=SKU;send_value=5.00;send_currency=USD'])).toEqual({
    NOVA: { by_amount: { '10.00': { code: 'SKU', values: { send_value: '5.00', send_currency: 'USD' } } } },
  })
  for (const wrong of [
    'NOVA',
    'NOVA=',
    'NO VA=A',
    'NOVA:x=A',
    'NOVA:1:2=A',
    'NOVA=A;x',
    'NOVA=A;X=1',
    'NOVA=;x=1',
  ]) {
    expect(() => readProducts([wrong])).toThrow(UsageError)
  }
  expect(() => readProducts(['NOVA=A', 'NOVA:10.00=B'])).toThrow(UsageError)
  expect(() => readProducts(['NOVA:10=A', 'NOVA:10=B'])).toThrow(UsageError)
})
