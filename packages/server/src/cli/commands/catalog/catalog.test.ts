import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Env } from '../../../config.ts'
import { applyBase } from '../../../modules/catalog/edit/base.service.ts'
import { sampleCategory, sampleGroup, sampleProduct } from '../../../testing/catalog/catalog-samples.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { main } from '../../main.ts'

let test: TestDatabase
let folder: string
let env: Env
let account: string

beforeAll(async () => {
  test = await openTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'warung-catalog-'))
  env = {
    DATABASE_URL: test.url,
    WARUNG_MASTER_KEY: test.masterKey.bytes.toString('base64'),
    WARUNG_DATA_DIR: folder,
  }
  await applyBase(
    test.database,
    {
      groups: [sampleGroup()],
      categories: [sampleCategory()],
      products: [sampleProduct(), sampleProduct({ code: 'SECRET', isRestricted: true })],
      levels: [{ code: 'STANDARD', name: 'Standard' }],
    },
    'test',
  )
  await importCsv(
    'options.csv',
    'product,field,code,label,denomination',
    'NOVA,amount,N5,RM 5,5',
    'NOVA,amount,N10,RM 10,10',
    'SECRET,amount,S5,RM 5,5',
  )
  const made = await ask('reseller', 'create', '--name', 'Kedai', '--email', 'k@example.com')
  account = String(made.account)
})

afterAll(async () => {
  await test.close()
  await rm(folder, { recursive: true, force: true })
})

type Ran = { code: number; out: string; err: string }
type Document = Record<string, unknown>

async function run(...args: string[]): Promise<Ran> {
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

/** Runs a command that must succeed, and reads its one JSON document. */
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

async function write(name: string, ...lines: string[]): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, `${lines.join('\n')}\n`)
  return path
}

async function importCsv(name: string, ...lines: string[]): Promise<Document> {
  return ask('catalog', 'import', '--file', await write(name, ...lines))
}

describe('warungd on files of the catalogue', () => {
  it('exports what it imports, in either form, as a file, a folder or on standard output', async () => {
    await importCsv('texts.csv', 'language,text,translation', 'ms,Mobile,Mudah alih')
    const document = await ask('catalog', 'export')
    expect(document).toMatchObject({ format: 'warung-catalog/1', groups: [{ code: 'MOBILE' }] })
    for (const format of ['json', 'csv']) {
      const dir = join(folder, 'exported', format)
      await ask('catalog', 'export', '--dir', dir, '--format', format)
      const imported = await ask('catalog', 'import', '--dir', dir)
      expect(imported).toMatchObject({
        created: { options: 0 },
        updated: { options: 0 },
        unchanged: { options: 3, texts: 1 },
      })
    }
    expect(await readdir(join(folder, 'exported', 'csv'))).toEqual([
      'categories.csv',
      'groups.csv',
      'options.csv',
      'prices.csv',
      'products.json',
      'texts.csv',
    ])
    const one = join(folder, 'my-options.csv')
    await ask('catalog', 'export', '--file', one)
    expect(await readFile(one, 'utf8')).toMatch(/^product,field,code,label,/)
    const text = await run('catalog', 'export')
    expect(JSON.parse(text.out)).toEqual(document)
  })

  it('shows beforehand what an import would do, and does nothing until it is told to', async () => {
    const file = ['--file', await write('groups.csv', 'code,name', 'MOBILE,Telefon', 'NEW,New')]
    const tried = await ask('catalog', 'import', ...file, '--dry-run')
    expect(tried).toMatchObject({ dry_run: true, created: { groups: 1 }, updated: { groups: 1 } })
    const diff = await ask('catalog', 'diff', ...file)
    expect(diff.differences).toEqual([
      {
        kind: 'groups',
        id: 'MOBILE',
        action: 'update',
        changes: [{ name: 'name', before: 'Mobile', after: 'Telefon' }],
      },
      {
        kind: 'groups',
        id: 'NEW',
        action: 'create',
        changes: expect.arrayContaining([{ name: 'name', before: null, after: 'New' }]),
      },
    ])
    const { out } = await run('catalog', 'diff', ...file)
    expect(out).toContain('~ groups MOBILE: name "Mobile" → "Telefon"\n+ groups NEW\n')
    const dry = await run('catalog', 'import', ...file, '--dry-run')
    expect(dry.out).toMatch(/^Nothing was changed/)
    expect(dry.out).toMatch(/groups +1 +1 +0 +0/)
    const done = await ask('catalog', 'import', ...file, '--reason', 'New names')
    expect({ ...done, dry_run: true }).toEqual(tried)
    expect((await run('catalog', 'diff', ...file)).out).toContain('No differences.')
  })

  it('tells every problem with its file and line, and imports nothing', async () => {
    const options = await write('options.csv', 'product,field,code,label,denomination', 'NOVA,amount,N1,x,x')
    const groups = await write('groups.csv', 'code,name,is_active', 'G1,One,true', 'G2,Two,maybe')
    const both = ['--file', options, '--file', groups]
    expect(await refuse('catalog', 'import', ...both)).toEqual({
      code: 'invalid_files',
      message: 'There are 2 problems in the files; nothing was imported.',
      fields: {
        [`${options}:2`]: [expect.stringMatching(/^denomination: /)],
        [`${groups}:3`]: [expect.stringMatching(/^is_active: /)],
      },
    })
    const { code, err } = await run('catalog', 'import', ...both)
    expect(code).toBe(1)
    expect(err).toContain(`  ${groups}:3: is_active: must be true or false; it is "maybe"\n`)
    expect(JSON.stringify(await ask('catalog', 'export'))).not.toContain('"G1"')
  })

  it('switches off what a full list leaves out only with --deactivate-missing', async () => {
    const full = [
      '--file',
      await write('options.csv', 'product,field,code,label,denomination', 'NOVA,amount,N10,RM 10,10'),
    ]
    expect(await ask('catalog', 'import', ...full)).toMatchObject({ deactivated: { options: 0 } })
    const { out } = await run('catalog', 'diff', ...full, '--deactivate-missing')
    expect(out).toContain('- options NOVA:amount:N5: is_active true → false')
    expect(await ask('catalog', 'import', ...full, '--deactivate-missing')).toMatchObject({
      deactivated: { options: 1 },
    })
    await importCsv('options.csv', 'product,field,code,label,is_active', 'NOVA,amount,N5,RM 5,true')
  })

  it('writes a line now and then about a long file', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => `SECRET,amount,X${index},x,1`)
    const file = await write('long-options.csv', 'product,field,code,label,denomination', ...rows)
    const { code, err } = await run('catalog', 'diff', '--file', file, '--json')
    expect(code).toBe(0)
    expect(err).toBe('read 5000 rows\nread 10000 rows\nread 10000 rows; now they are checked and compared\n')
  })

  it('says which file it cannot read', async () => {
    const missing = join(folder, 'nowhere.csv')
    expect(await refuse('catalog', 'import', '--file', missing)).toMatchObject({
      message: expect.stringMatching(/nowhere\.csv cannot be read.*ENOENT/),
    })
  })

  it.each([
    [['catalog', 'import']],
    [['catalog', 'import', '--file', 'a.csv', '--file', 'a.csv']],
    [['catalog', 'export', '--file', 'a.csv']],
    [['catalog', 'export', '--file', 'a.json', '--dir', 'b']],
    [['catalog', 'export', '--dir', 'b', '--format', 'xml']],
    [['catalog', 'export', '--format', 'csv']],
    [['catalog', 'export', '--file', 'a.json', '--format', 'csv']],
    [['catalog', 'price', '--level', 'STANDARD', '--product', 'NOVA']],
    [['catalog', 'price', '--level', 'STANDARD', '--product', 'NOVA', '--fixed', '1', '--none']],
    [['catalog', 'show', '--product', 'NOVA', '--limit', 'x']],
  ])('called as %j ends with 2 and writes nothing', async (args) => {
    const before = await readdir('.')
    const { code, out, err } = await run(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^warungd: .+\n$/)
    expect(await readdir('.')).toEqual(before)
  })

  it('refuses an empty folder', async () => {
    await mkdir(join(folder, 'empty'))
    expect((await run('catalog', 'import', '--dir', join(folder, 'empty'))).code).toBe(2)
  })
})

describe('warungd on prices and permissions', () => {
  it('keeps levels, prices and permissions, and shows what a reseller sees', async () => {
    expect(await ask('level', 'create', '--code', 'GOLD', '--name', 'Gold')).toEqual({
      code: 'GOLD',
      name: 'Gold',
    })
    expect(await refuse('level', 'create', '--code', 'GOLD', '--name', 'Other')).toMatchObject({
      code: 'taken',
    })
    expect(await refuse('level', 'create', '--code', 'no', '--name', 'Other')).toMatchObject({
      code: 'validation_failed',
    })
    const price = ['catalog', 'price', '--level', 'STANDARD', '--product']
    expect(await ask(...price, 'NOVA', '--percentage', '0.985')).toMatchObject({
      product: 'NOVA',
      price: { discount_type: 'percentage', value: '0.985', currency: 'MYR' },
      created: { prices: 1 },
      accounts_affected: 1,
    })
    await ask(...price, 'SECRET', '--fixed', '0.50')
    expect(await ask('level', 'list')).toEqual({
      levels: [
        { code: 'GOLD', name: 'Gold', prices: 0 },
        { code: 'STANDARD', name: 'Standard', prices: 2 },
      ],
    })
    const shown = ['catalog', 'show', '--reseller', account, '--product']
    expect(await ask(...shown, 'NOVA')).toMatchObject({
      account,
      is_purchasable: true,
      is_active: true,
      price: { value: '0.985' },
      options: [
        { code: 'N5', is_active: true, denomination: '5.00', cost: '4.925', rrp: '5.00', price: '5.00' },
        { code: 'N10', is_active: true, cost: '9.85' },
      ],
    })
    expect(await ask(...shown, 'SECRET')).toMatchObject({ is_purchasable: false })
    const permission = ['--reseller', account, '--product', 'SECRET']
    expect(await ask('catalog', 'permit', ...permission)).toMatchObject({ account, is_allowed: true })
    expect(await ask(...shown, 'SECRET')).toMatchObject({ is_purchasable: true })
    await ask('catalog', 'forbid', ...permission)
    expect(await ask(...shown, 'SECRET')).toMatchObject({ is_purchasable: false })
    await ask(...price, 'SECRET', '--none')
    expect(await ask('catalog', 'show', '--product', 'SECRET')).toMatchObject({
      product: { code: 'SECRET', is_restricted: true },
      prices: [],
    })
    const { out } = await run('catalog', 'show', '--product', 'NOVA', '--limit', '1')
    expect(out).toContain('STANDARD  percentage')
    expect(out).toContain('… and 1 more')
  })

  it('refuses what is not there, and prices that give goods away', async () => {
    const price = ['catalog', 'price', '--product', 'NOVA', '--level']
    expect(await refuse(...price, 'STANDARD', '--fixed', '5')).toMatchObject({
      code: 'validation_failed',
      fields: { 'prices.STANDARD.NOVA.unitPrice': [expect.stringContaining('zero or less')] },
    })
    expect(await refuse(...price, 'NONE', '--fixed', '0.1')).toMatchObject({ code: 'not_found' })
    expect(await refuse(...price, 'STANDARD', '--percentage', '98%')).toMatchObject({
      fields: { percentage: [expect.any(String)] },
    })
    expect(await refuse('catalog', 'show', '--product', 'NONE')).toMatchObject({ code: 'not_found' })
    expect(await refuse('catalog', 'permit', '--reseller', '0', '--product', 'NOVA')).toMatchObject({
      code: 'not_found',
    })
    expect(await refuse('catalog', 'permit', '--reseller', account, '--product', 'NONE')).toMatchObject({
      code: 'not_found',
    })
  })
})

describe('warungd on overlays', () => {
  it('changes products and options of one reseller, part by part, and takes it back', async () => {
    const reseller = ['--reseller', account]
    const set = ['overlay', 'set', ...reseller, '--product', 'NOVA']
    expect(await ask('overlay', 'show', ...reseller)).toEqual({ account, overlay: null })
    await ask(...set, '--name', 'Nova Plus', '--adjust-fixed', '0.50', '--off')
    await ask(...set, '--on', '--adjust-percentage', '1.02')
    await ask(...set, '--option', 'N5', '--off', '--rrp', '5.50')
    const changed = await ask(...set, '--option', 'N5', '--on')
    expect(changed).toMatchObject({
      account,
      overlay: {
        products: [
          {
            code: 'NOVA',
            name: 'Nova Plus',
            is_enabled: true,
            adjustment: { type: 'percentage', value: '1.02' },
          },
        ],
        options: [{ product: 'NOVA', field: 'amount', code: 'N5', is_enabled: true, rrp: '5.50' }],
      },
    })
    expect(await ask('overlay', 'show', ...reseller)).toEqual(changed)
    expect((await run('overlay', 'show', ...reseller)).out).toContain('percentage 1.02')
    expect(await ask('catalog', 'show', ...reseller, '--product', 'NOVA')).toMatchObject({
      name: 'Nova Plus',
      options: [
        { code: 'N5', price: '5.50' },
        { code: 'N10', price: '10.20' },
      ],
    })
    expect(await ask(...set, '--adjust-fixed=-0.10', '--name', '')).toMatchObject({
      overlay: { products: [{ name: null, adjustment: { type: 'fixed', value: '-0.10' } }] },
    })
    await ask(...set, '--no-adjustment')

    const remove = ['overlay', 'remove', ...reseller]
    expect(await ask(...remove, '--product', 'NOVA', '--option', 'N5')).toMatchObject({
      is_changed: true,
      overlay: { products: [{ code: 'NOVA' }], options: [] },
    })
    expect(await ask(...remove)).toMatchObject({ is_changed: true, overlay: null })
    expect(await ask(...remove)).toMatchObject({ is_changed: false, overlay: null })
    const { records } = await ask('audit', 'list', '--target', account, '--action', 'overlay')
    const rows = records as Document[]
    expect(rows).toHaveLength(9)
    expect(rows.at(-1)).toMatchObject({
      action: 'overlay.set',
      before: null,
      after: { products: [{ code: 'NOVA', name: 'Nova Plus', is_enabled: false }] },
    })
    expect(rows[1]).toMatchObject({
      action: 'overlay.remove',
      before: { products: [{ code: 'NOVA' }] },
      after: null,
    })
  })

  it('imports leave a row in the audit log, and dry runs none', async () => {
    const list = async () =>
      (await ask('audit', 'list', '--action', 'catalogue.import')).records as Document[]
    const before = await list()
    const file = await write('options.csv', 'product,field,code,label,denomination', 'NOVA,amount,N7,RM 7,7')
    await ask('catalog', 'import', '--file', file, '--dry-run')
    expect(await list()).toEqual(before)
    const { version } = await ask('catalog', 'import', '--file', file, '--reason', 'seven')
    const [row, ...rest] = await list()
    expect(rest).toEqual(before)
    expect(row).toMatchObject({
      reason: 'seven',
      target: { kind: 'catalogue', id: String(version) },
      after: { differences: [{ action: 'create' }], differences_total: 1 },
    })
  })

  it('refuses what does not fit', async () => {
    const set = ['overlay', 'set', '--reseller', account, '--product', 'NOVA']
    expect(await refuse(...set, '--adjust-percentage', '0')).toMatchObject({
      fields: { 'adjust-percentage': [expect.any(String)] },
    })
    expect(await refuse(...set, '--min', 'x')).toMatchObject({ fields: { min: [expect.any(String)] } })
    expect(await refuse(...set, '--option', 'NONE', '--off')).toMatchObject({ code: 'validation_failed' })
    const none = ['overlay', 'set', '--reseller', account, '--product', 'NONE', '--off']
    expect(await refuse(...none)).toMatchObject({ code: 'not_found' })
    for (const wrong of [
      [],
      ['--on', '--off'],
      ['--rrp', '5'],
      ['--option', 'N5', '--name', 'x'],
      ['--option', 'N5'],
      ['--adjust-fixed', '1', '--no-adjustment'],
    ]) {
      expect((await run(...set, ...wrong)).code).toBe(2)
    }
    expect((await run('overlay', 'remove', '--reseller', account, '--option', 'N5')).code).toBe(2)
  })
})
