import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { RequestError } from '../../../lib/errors.ts'
import { sampleCategory, sampleGroup, sampleProduct } from '../../../testing/catalog/catalog-samples.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { createReseller } from '../../accounts/service.ts'
import { applyBase } from '../edit/base.service.ts'
import type { Option } from '../model/types.ts'
import { loadCatalog } from '../store/load.service.ts'
import { printCsvFile, printDocument } from './print.rules.ts'
import type { ImportOptions } from './service.ts'
import { exportCatalog, importFiles } from './service.ts'
import { CSV_KINDS } from './types.ts'

let test: TestDatabase
const opened: TestDatabase[] = []

beforeEach(async () => {
  test = await openTestDatabase()
  opened.push(test)
  await applyBase(
    test.database,
    {
      groups: [sampleGroup()],
      categories: [sampleCategory()],
      products: [sampleProduct({ redemption: 'Dial the PIN.' })],
      texts: [{ language: 'ms', text: 'Dial the PIN.', said: 'Dail PIN.' }],
      options: [
        optionOf('N5', 50_000n, { rrp: 60_000n, description: '=HYPERLINK("x")' }),
        optionOf('N10', 100_000n),
      ],
      levels: [{ code: 'STANDARD', name: 'Standard' }],
      prices: [
        {
          levelCode: 'STANDARD',
          productCode: 'NOVA',
          price: { discountType: 'fixed', unitPrice: -50_000_000n, currency: 'MYR' },
        },
      ],
    },
    'test',
  )
})

afterAll(() => Promise.all(opened.map((each) => each.close())))

function optionOf(code: string, denomination: bigint, change: Partial<Option> = {}): Option {
  return {
    productCode: 'NOVA',
    fieldId: 'amount',
    code,
    label: code,
    description: null,
    displayOrder: 1,
    isActive: true,
    denomination,
    validity: null,
    features: null,
    rrp: null,
    minAmount: null,
    maxAmount: null,
    suggestedCategory: null,
    additionalDescription: null,
    requiresRef2: false,
    ...change,
  }
}

function importTexts(files: Readonly<Record<string, string>>, options: Partial<ImportOptions> = {}) {
  const sources = Object.entries(files).map(([name, content]) => ({ name, bytes: Buffer.from(content) }))
  return importFiles(test.database, sources, {
    reason: 'test',
    dryRun: false,
    deactivateMissing: false,
    ...options,
  })
}

async function optionsNow(): Promise<readonly Option[]> {
  return (await loadCatalog(test.database)).base.options.get('NOVA')?.get('amount') ?? []
}

const HEAD = 'product,field,code,label,denomination'

describe('an export', () => {
  it('imported into an empty database gives the same catalogue, in either form', async () => {
    const document = await exportCatalog(test.database)
    const csv = Object.fromEntries(CSV_KINDS.map((kind) => [`${kind}.csv`, printCsvFile(document, kind)]))
    const forms = [
      { 'catalog.json': printDocument(document) },
      { ...csv, 'products.json': printDocument(document, ['products', 'levels']) },
    ]
    for (const files of forms) {
      test = await openTestDatabase()
      opened.push(test)
      await importTexts(files)
      expect(await exportCatalog(test.database)).toEqual(document)
    }
  })
})

describe('texts in other languages', () => {
  const HEADER = 'language,text,translation'
  const textsNow = async () => (await exportCatalog(test.database)).texts

  it('are imported, changed and taken back by their language and text, and no reseller sees another catalogue', async () => {
    const first = await importTexts({
      'texts.csv': `${HEADER}\nta,Nova,நோவா\nms,Dial the PIN.,Dail PIN ini.\n`,
    })
    expect(first.summary).toMatchObject({ created: { texts: 1 }, updated: { texts: 1 }, accountsAffected: 0 })
    expect(first.differences).toContainEqual({
      kind: 'texts',
      id: 'ms:Dial the PIN.',
      action: 'update',
      changes: [{ name: 'translation', before: 'Dail PIN.', after: 'Dail PIN ini.' }],
    })
    const document = { texts: [{ language: 'ta', text: 'Nova', translation: null }] }
    const { summary } = await importTexts({ 'catalog.json': JSON.stringify(document) })
    expect(summary.deactivated).toMatchObject({ texts: 1 })
    expect(await textsNow()).toEqual([{ language: 'ms', text: 'Dial the PIN.', said: 'Dail PIN ini.' }])
    const again = await importTexts({
      'texts.csv': `${HEADER}\nta,Nova,நோவா\nms,Dial the PIN.,Dail PIN ini.\n`,
    })
    expect(again.summary).toMatchObject({ created: { texts: 1 }, unchanged: { texts: 1 } })
  })

  it('may be as long as a note, in scripts of four bytes a letter', async () => {
    const [text, translation] = ['𠀀'.repeat(2_000), '𠮷'.repeat(2_000)]
    await importTexts({ 'catalog.json': JSON.stringify({ texts: [{ language: 'zh', text, translation }] }) })
    expect(await textsNow()).toContainEqual({ language: 'zh', text, said: translation })
  })

  it.each([
    ['a language that nobody is offered', 'fr,Nova,Nova', /^language: must be one of/],
    ['nothing that is translated', 'ms,,Nova', /^text: must be 1 to 2000 characters/],
    ['a control character', 'ms,Nova,No\u0007va', /^translation: must be 1 to 2000 characters/],
    ['too long a text', `ms,Nova,${'x'.repeat(2_001)}`, /^translation: must be 1 to 2000 characters/],
    ['the same text twice', 'ms,Nova,Nova\nms,Nova,Nova', /stands here again/],
  ])('are refused with the line for %s', async (_, line, message) => {
    const refused = importTexts({ 'texts.csv': `${HEADER}\n${line}\n` })
    await expect(refused).rejects.toThrow(RequestError)
    const error = await refused.catch((each: RequestError) => each)
    expect(Object.values((error as RequestError).fields ?? {}).flat()).toContainEqual(
      expect.stringMatching(message),
    )
    expect(await textsNow()).toHaveLength(1)
  })
})

describe('an import', () => {
  it('changes what the files say and leaves the rest, columns they do not have included', async () => {
    const files = { 'options.csv': `${HEAD}\nNOVA,amount,N5,Five,5\nNOVA,amount,N30,Thirty,30\n` }
    const { summary, differences } = await importTexts(files)
    expect(summary).toMatchObject({
      created: { options: 1 },
      updated: { options: 1 },
      deactivated: { options: 0 },
      unchanged: { options: 0 },
    })
    expect(differences).toEqual([
      {
        kind: 'options',
        id: 'NOVA:amount:N5',
        action: 'update',
        changes: [{ name: 'label', before: 'N5', after: 'Five' }],
      },
      {
        kind: 'options',
        id: 'NOVA:amount:N30',
        action: 'create',
        changes: expect.arrayContaining([
          { name: 'code', before: null, after: 'N30' },
          { name: 'denomination', before: null, after: '30.00' },
        ]),
      },
    ])
    const now = await optionsNow()
    expect(now.find(({ code }) => code === 'N5')).toMatchObject({ label: 'Five', rrp: 60_000n })
    expect(now.find(({ code }) => code === 'N10')).toMatchObject({ label: 'N10', isActive: true })
  })

  it('clears what the files say is empty', async () => {
    await importTexts({ 'options.csv': `${HEAD},rrp\nNOVA,amount,N5,Five,5,\n` })
    expect((await optionsNow()).find(({ code }) => code === 'N5')?.rrp).toBeNull()
  })

  it('switches off options that the files leave out only when it is told to', async () => {
    const files = { 'options.csv': `${HEAD}\nNOVA,amount,N5,N5,5\n` }
    expect((await importTexts(files)).summary.deactivated.options).toBe(0)
    const { summary, differences } = await importTexts(files, { deactivateMissing: true })
    expect(summary.deactivated.options).toBe(1)
    expect(differences).toEqual([
      {
        kind: 'options',
        id: 'NOVA:amount:N10',
        action: 'deactivate',
        changes: [{ name: 'is_active', before: true, after: false }],
      },
    ])
    expect((await optionsNow()).filter((option) => option.isActive).map(({ code }) => code)).toEqual(['N5'])
    const again = await importTexts(files, { deactivateMissing: true })
    expect(again.summary.unchanged.options).toBe(1)
  })

  it('never switches off options of a list that the files do not name', async () => {
    await importTexts(
      { 'groups.csv': 'code,name\nNEW,New\n', 'options.csv': `${HEAD}\n` },
      { deactivateMissing: true },
    )
    expect((await optionsNow()).every((option) => option.isActive)).toBe(true)
  })

  it('an import with one wrong line changes nothing, and says which line', async () => {
    const before = await exportCatalog(test.database)
    const error = await importTexts({
      'groups.csv': 'code,name\nNEW,New\n',
      'options.csv': `${HEAD}\nNOVA,amount,N30,Thirty,30\nNOVA,amount,N50,Fifty,fifty\n`,
    }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RequestError)
    expect(error).toMatchObject({
      status: 400,
      code: 'invalid_files',
      publicText: 'There is one problem in the files; nothing was imported.',
      fields: { 'options.csv:3': [expect.stringMatching(/^denomination: must be a plain decimal/)] },
    })
    expect(await exportCatalog(test.database)).toEqual(before)
  })

  it('tells how many problems there are beyond those it shows', async () => {
    const rows = Array.from({ length: 300 }, (_, index) => `NOVA,amount,N${index},x,x`)
    await expect(importTexts({ 'options.csv': [HEAD, ...rows].join('\n') })).rejects.toMatchObject({
      publicText: 'There are 300 problems in the files; nothing was imported.',
      fields: { 'options.csv:2': expect.anything(), 'and more': ['100 problem(s) that are not shown'] },
    })
  })

  it('an import that is only tried changes nothing and tells the same', async () => {
    await createReseller(
      { database: test.database, vault: test.vault, environment: 'staging' },
      { name: 'Kedai', email: 'k@example.com', priceLevel: 'STANDARD' },
    )
    const before = await exportCatalog(test.database)
    const files = { 'groups.csv': 'code,name\nMOBILE,Telefon\n' }
    const tried = await importTexts(files, { dryRun: true })
    expect(await exportCatalog(test.database)).toEqual(before)
    const done = await importTexts(files)
    expect(tried).toEqual(done)
    expect(done.summary).toMatchObject({ updated: { groups: 1 }, accountsAffected: 1 })
    expect((await importTexts(files)).summary.accountsAffected).toBe(0)
  })

  it('takes a list of 25,000 rows, tells how far it is, and finds nothing to do the second time', async () => {
    const rows = Array.from(
      { length: 25_000 },
      (_, index) => `NOVA,amount,B${index},Biller ${index},${index + 1}`,
    )
    const files = { 'billers-options.csv': [HEAD, ...rows].join('\r\n') }
    const counts: number[] = []
    const { summary } = await importTexts(files, { onRows: (count) => counts.push(count) })
    expect(summary.created.options).toBe(25_000)
    expect(counts).toEqual(Array.from({ length: 25 }, (_, index) => (index + 1) * 1_000))
    expect((await importTexts(files)).summary).toMatchObject({
      created: { options: 0 },
      updated: { options: 0 },
      unchanged: { options: 25_000 },
    })
  })
})
