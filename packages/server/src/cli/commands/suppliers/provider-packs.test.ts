import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BookServer } from '../../../modules/providers/books/server.service.ts'
import { startBookServer } from '../../../modules/providers/books/server.service.ts'
import { getBook } from '../../../modules/providers/packs/library.service.ts'
import { collectUnknown } from '../../../modules/providers/proofs/unknown.service.ts'
import type { CommandLine } from '../../../testing/command-line.ts'
import { openCommandLine } from '../../../testing/command-line.ts'
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
