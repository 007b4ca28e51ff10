import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Env } from '../../../config.ts'
import { applyBase } from '../../../modules/catalog/edit/base.service.ts'
import { importFiles } from '../../../modules/catalog/transfer/service.ts'
import { sampleCategory, sampleGroup, sampleProduct } from '../../../testing/catalog/catalog-samples.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { newPin } from '../../../testing/providers/stock.ts'
import { main } from '../../main.ts'

let test: TestDatabase
let folder: string
let env: Env

const OPTIONS = [
  'product,field,code,label,denomination',
  'NOVA,amount,N5,RM 5,5',
  'NOVA,amount,N10,RM 10,10',
  'NOVA,amount,N20A,RM 20,20',
  'NOVA,amount,N20B,RM 20,20',
]

beforeAll(async () => {
  test = await openTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'warung-stock-'))
  env = {
    DATABASE_URL: test.url,
    WARUNG_MASTER_KEY: test.masterKey.bytes.toString('base64'),
    WARUNG_DATA_DIR: folder,
  }
  const [groups, categories, products] = [[sampleGroup()], [sampleCategory()], [sampleProduct()]]
  await applyBase(test.database, { groups, categories, products }, 'test')
  const file = { name: 'options.csv', bytes: Buffer.from(`${OPTIONS.join('\n')}\n`) }
  await importFiles(test.database, [file], { reason: 'test', dryRun: false, deactivateMissing: false })
})

afterAll(async () => {
  await test.close()
  await rm(folder, { recursive: true, force: true })
})

type Document = Record<string, unknown>

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const ran = { code: -1, out: '', err: '' }
  const out = (text: string) => {
    ran.out += text
  }
  const err = (text: string) => {
    ran.err += text
  }
  ran.code = await main(args, { out, err, readInput: async () => '' }, env)
  return ran
}

async function ask(...args: string[]): Promise<Document> {
  const { code, out, err } = await run(...args, '--json')
  expect({ code, err, out: code === 0 ? '' : out }).toEqual({ code: 0, err: '', out: '' })
  return JSON.parse(out)
}

async function refuse(...args: string[]): Promise<Document> {
  const { code, out } = await run(...args, '--json')
  expect(code).toBe(1)
  return JSON.parse(out).error
}

async function write(...lines: string[]): Promise<string> {
  const path = join(folder, 'pins.csv')
  await writeFile(path, `${lines.join('\n')}\n`)
  return path
}

const load = (file: string, ...more: string[]) => [
  'stock',
  'load',
  '--product',
  'NOVA',
  '--file',
  file,
  ...more,
]

describe('warungd on the stock', () => {
  it('loads, counts, lists and withdraws', async () => {
    const file = await write('pin,serial', `${newPin()},S1`, `${newPin()},S2`)
    const batch = await ask(...load(file, '--denomination', '10', '--by', 'aina'))
    expect(batch).toMatchObject({
      product: 'NOVA',
      denomination: 10,
      file: 'pins.csv',
      items: 2,
      loaded_by: 'aina',
    })
    const counts = { free: 2, sold: 0, spent: 0, expired: 0, withdrawn: 0 }
    const line = { product: 'NOVA', denomination: 10, ...counts, min: null, is_low: false }
    expect(await ask('stock', 'list')).toEqual({ stock: [line] })
    expect((await run('stock', 'list')).out).toMatch(/NOVA +10\.00 +2 +0/)

    const level = ['stock', 'level', '--product', 'NOVA', '--denomination', '10', '--min']
    expect(await ask(...level, '3')).toEqual({ product: 'NOVA', denomination: 10, min: 3 })
    expect(await ask('stock', 'list')).toEqual({ stock: [{ ...line, min: 3, is_low: true }] })
    await ask(...level, '0')

    const withdraw = ['stock', 'withdraw', '--batch', String(batch.batch), '--reason', 'recalled']
    expect(await ask(...withdraw)).toEqual({ batch: batch.batch, withdrawn: 2 })
    expect(await refuse(...withdraw)).toMatchObject({ code: 'withdrawn' })
    expect(await ask('stock', 'list')).toEqual({ stock: [{ ...line, free: 0, withdrawn: 2 }] })
    expect(await ask('stock', 'batches')).toMatchObject({
      batches: [
        {
          ...batch,
          withdrawn_by: 'operator',
          withdrawn_reason: 'recalled',
          withdrawn_at: expect.any(String),
        },
      ],
    })
  })

  it('takes the denominations from the file where none is given', async () => {
    const file = await write('pin,denomination', `${newPin()},5`, `${newPin()},10.00`)
    expect(await ask(...load(file))).toMatchObject({ denomination: null, items: 2 })
    expect(await refuse(...load(await write('pin', newPin())))).toMatchObject({ code: 'invalid_files' })
  })

  it('loads nothing that could not be sold, or would be sold for something else', async () => {
    const file = await write('pin', newPin())
    expect(await refuse(...load(file, '--denomination', '7'))).toMatchObject({
      fields: { denomination: ['NOVA has no denomination 7.00'] },
    })
    expect(await refuse(...load(file, '--denomination', '20'))).toMatchObject({
      fields: { denomination: [expect.stringContaining('several plans of 20.00')] },
    })
    expect(await refuse(...load(file, '--denomination=-1'))).toMatchObject({ code: 'validation_failed' })
    const mixed = await write('pin,denomination', `${newPin()},5`, `${newPin()},7`)
    expect(await refuse(...load(mixed))).toMatchObject({
      fields: { 'pins.csv:3': ['denomination: NOVA has no denomination 7.00'] },
    })
    const nowhere = ['stock', 'load', '--product', 'NONE', '--denomination', '5', '--file', file]
    expect(await refuse(...nowhere)).toMatchObject({ code: 'not_found' })
    const missing = join(folder, 'nowhere.csv')
    expect(await refuse(...load(missing, '--denomination', '5'))).toMatchObject({
      message: expect.stringMatching(/nowhere\.csv cannot be read/),
    })
  })

  it('leaves one line in the audit log for a load, without the PIN, and none for a refused one', async () => {
    const lines = async () => (await ask('audit', 'list', '--action', 'stock.load')).records as Document[]
    const before = await lines()
    const pin = newPin()
    const file = await write('pin', pin)
    const batch = await ask(...load(file, '--denomination', '10'))
    await refuse(...load(file, '--denomination', '10'))
    const after = await lines()
    expect(after).toHaveLength(before.length + 1)
    expect(after[0]).toMatchObject({
      target: { kind: 'stock_batch', id: batch.batch },
      after: { product: 'NOVA', file: 'pins.csv', items: 1 },
    })
    expect(JSON.stringify(after)).not.toContain(pin)
  })

  it.each([
    [['stock', 'load', '--product', 'NOVA']],
    [['stock', 'withdraw', '--batch', 'x', '--reason', 'y']],
    [['stock', 'withdraw', '--batch', '1']],
    [['stock', 'batches', '--limit', '0']],
  ])('called as %j ends with 2', async (args) => {
    expect((await run(...args)).code).toBe(2)
  })

  it('refuses levels that make no sense', async () => {
    const level = ['stock', 'level', '--product', 'NOVA', '--denomination', '10', '--min', 'x']
    expect(await refuse(...level)).toMatchObject({ code: 'validation_failed' })
  })
})
