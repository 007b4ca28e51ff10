import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { applyBase } from '../../../modules/catalog/edit/base.service.ts'
import { loadCatalog } from '../../../modules/catalog/store/load.service.ts'
import { sumOpenDays } from '../../../modules/payments/reports/rollups.service.ts'
import { listRoutes } from '../../../modules/providers/connections/routing.service.ts'
import { BASE } from '../../../testing/catalog/catalog-store.ts'
import type { CommandLine } from '../../../testing/command-line.ts'
import { openCommandLine } from '../../../testing/command-line.ts'
import { insertBackfill, newReseller, PAST, today } from '../../../testing/payments/history.ts'

let line: CommandLine

beforeAll(async () => {
  line = await openCommandLine()
  const { database } = line.test
  await applyBase(database, BASE, 'seed')
  const resellerId = await newReseller(line.test)
  const day = (await today(database)) - 3
  await insertBackfill(database, resellerId, [{ ...PAST, day, faceValue: 1_000_000n }])
  await sumOpenDays(line.test)
  await line.run('provider', 'add', '--code', 'shelf', '--kind', 'stock')
})
afterAll(() => line.close())

beforeEach(() => applyBase(line.test.database, { prices: BASE.prices }, 'as it was'))

const run = (...args: string[]) => line.run(...args)
const SET = ['catalog', 'price', '--level', 'STANDARD', '--product', 'NOVA', '--percentage']

async function priceNow(): Promise<bigint | undefined> {
  return (await loadCatalog(line.test.database)).levels.get('STANDARD')?.prices.get('NOVA')?.unitPrice
}

async function lastLogged(): Promise<{ action: string; after: unknown }> {
  const { rows } = await line.test.database.query<{ action: string; after: unknown }>(
    'select action, after from audit_log order by sequence desc limit 1',
  )
  return rows[0] ?? { action: '', after: null }
}

describe('a mistyped price at the machine', () => {
  it('is shown with what it would have cost, and saved only by who repeats the figure', async () => {
    const refused = await run(...SET, '0.0985')
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('NOVA at STANDARD: the price of N30 moves from 29.55 to 2.955')
    expect(refused.err).toContain('--accept-loss 88.65')
    expect((await run(...SET, '0.0985', '--accept-loss', '88.64')).code).toBe(1)
    expect((await run(...SET, '0.0985', '--accept-loss', 'yes')).code).toBe(2)
    expect(await priceNow()).toBe(98_500_000n)
    expect((await run(...SET, '0.0985', '--accept-loss', '88.65')).code).toBe(0)
    expect(await priceNow()).toBe(9_850_000n)
    expect(await lastLogged()).toMatchObject({
      action: 'price.set',
      after: { accepted: { loss_last_month: '88.65' } },
    })
  })

  it('a mistyped price in a file keeps the whole file from being imported, and a dry run shows the same', async () => {
    const file = join(line.folder, 'prices.csv')
    await writeFile(
      file,
      'level,product,discount_type,value\nGOLD,KITA,percentage,0.98\nSTANDARD,NOVA,percentage,0.0985\n',
    )
    const dry = await run('catalog', 'import', '--file', file, '--dry-run')
    expect(dry.code).toBe(0)
    const refused = await run('catalog', 'import', '--file', file)
    expect(refused.code).toBe(1)
    for (const { err } of [dry, refused]) expect(err).toContain('would have cost 88.65')
    const catalog = await loadCatalog(line.test.database)
    expect(catalog.levels.get('GOLD')?.prices.get('KITA')?.unitPrice).toBe(98_500_000n)
    expect((await run('catalog', 'import', '--file', file, '--accept-loss', '88.65')).code).toBe(0)
    expect(await lastLogged()).toMatchObject({ after: { accepted: { needs_second_person: true } } })
  })
})

it('a route cost above a price is shown, and saved only by who repeats the figure', async () => {
  const set = ['route', 'set', '--product', 'NOVA', '--provider', 'shelf', '--cost']
  const refused = await run(...set, '99.5%')
  expect(refused.code).toBe(1)
  expect(refused.err).toContain('is sold for 29.55, and shelf charges 29.85')
  expect(await listRoutes(line.test.database)).toEqual([])
  expect((await run(...set, '99.5%', '--accept-loss', '1')).code).toBe(0)
  const remove = ['route', 'remove', '--product', 'NOVA', '--provider', 'shelf']
  const unknown = await run(...remove)
  expect(unknown.code).toBe(1)
  expect(unknown.err).toContain('NOVA through shelf: the cost moves from 99.50% to unknown')
  expect((await run(...remove, '--accept-loss', '0')).code).toBe(0)
})

describe('a product that the cheapest provider is taken from', () => {
  const route = (provider: string, cost: string, ...more: string[]) =>
    run('route', 'set', '--product', 'NOVA', '--provider', provider, '--cost', cost, ...more)

  beforeAll(async () => {
    for (const code of ['cheap', 'dear']) await run('provider', 'add', '--code', code, '--kind', 'stock')
    expect((await route('cheap', '97%')).code).toBe(0)
    expect((await route('dear', '99%')).code).toBe(0)
  })

  it.each([
    ['by disabling the provider', ['provider', 'disable', '--code', 'cheap']],
    ['by removing the route', ['route', 'remove', '--product', 'NOVA', '--provider', 'cheap']],
    [
      'by disabling the route',
      ['route', 'set', '--product', 'NOVA', '--provider', 'cheap', '--cost', '97%', '--disabled'],
    ],
  ])(
    '%s is shown with what it would have cost, and done only by who repeats the figure',
    async (_, command) => {
      const refused = await run(...command)
      expect(refused.code).toBe(1)
      expect(refused.err).toContain('is sold for 29.55, and dear charges 29.70')
      const figure = /--accept-loss (\S+?)\.?\n/.exec(refused.err)?.[1] ?? ''
      expect((await run(...command, '--accept-loss', figure)).code).toBe(0)
      expect(await lastLogged()).toMatchObject({ after: { accepted: { needs_second_person: true } } })
      await run('provider', 'enable', '--code', 'cheap')
      await route('cheap', '97%')
    },
  )

  it('is compared again when a provider that charges more than the price is enabled', async () => {
    await run('provider', 'disable', '--code', 'dear')
    await run('provider', 'disable', '--code', 'cheap')
    const refused = await run('provider', 'enable', '--code', 'dear')
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('is sold for 29.55, and dear charges 29.70')
    expect((await run('provider', 'enable', '--code', 'cheap')).code).toBe(0)
    expect((await run('provider', 'enable', '--code', 'dear')).code).toBe(0)
  })
})

it('small steps are added up: together they move no further than one of them may', async () => {
  const set = ['catalog', 'price', '--level', 'STANDARD', '--product', 'KITA', '--percentage']
  for (const price of ['0.85', '0.80']) expect((await run(...set, price)).code).toBe(0)
  const refused = await run(...set, '0.75')
  expect(refused.code).toBe(1)
  expect(refused.err).toMatch(
    /KITA at STANDARD: in small steps of the last 7 days the price of \S+ moves from/,
  )
  expect((await run(...set, '0.79')).code).toBe(0)
})

it('a dry run of any command about prices and routes changes nothing', async () => {
  const { database } = line.test
  const state = async () => {
    const { rows } = await database.query(
      `select (select version from catalog_version) as catalogue, (select count(*) from provider_routes) as routes,
              (select count(*) from provider_connections where is_enabled) as providers,
              (select count(*) from audit_log) as logged`,
    )
    return rows[0]
  }
  const { rows } = await database.query<{ account: string }>('select account from resellers limit 1')
  const account = rows[0]?.account ?? ''
  const before = await state()
  for (const command of [
    [...SET, '0.5'],
    ['level', 'create', '--code', 'NEW', '--name', 'New'],
    ['catalog', 'forbid', '--reseller', account, '--product', 'NOVA'],
    ['route', 'set', '--product', 'NOVA', '--provider', 'shelf', '--cost', '99%'],
    ['provider', 'disable', '--code', 'shelf'],
    ['provider', 'add', '--code', 'other', '--kind', 'stock'],
    ['overlay', 'set', '--reseller', account, '--product', 'NOVA', '--adjust-percentage', '1.02'],
  ]) {
    const ran = await run(...command, '--dry-run')
    expect(ran, ran.err).toMatchObject({ code: 0 })
    expect(ran.err).toContain('nothing was changed')
    expect(await state()).toEqual(before)
  }
})

it('an unknown name is refused with the nearest names', async () => {
  const { rows } = await line.test.database.query<{ account: string }>(
    'select account from resellers limit 1',
  )
  const account = rows[0]?.account ?? ''
  const slip = account.slice(0, -1) + (account.endsWith('7') ? '8' : '7')
  for (const [command, meant] of [
    [['catalog', 'price', '--level', 'STANDRD', '--product', 'NOVA', '--percentage', '0.98'], 'STANDARD'],
    [['catalog', 'price', '--level', 'STANDARD', '--product', 'NOVAA', '--percentage', '0.98'], 'NOVA'],
    [['catalog', 'show', '--product', 'NOVVA'], 'NOVA'],
    [['reseller', 'create', '--name', 'A', '--email', 'a@example.com', '--price-level', 'GLOD'], 'GOLD'],
    [['reseller', 'show', '--reseller', slip], account],
    [['route', 'set', '--product', 'NOVAA', '--provider', 'shelf'], 'NOVA'],
    [['route', 'set', '--product', 'NOVA', '--provider', 'shelv'], 'shelf'],
    [['provider', 'show', '--code', 'shlef'], 'shelf'],
    [['notice', 'add', '--product', 'NVOA', '--message', 'x'], 'NOVA'],
    [['stock', 'level', '--product', 'NVOA', '--denomination', '10', '--min', '1'], 'NOVA'],
  ] as const) {
    const { code, err } = await run(...command)
    expect(code, err).toBe(1)
    expect(err).toMatch(new RegExp(`[Dd]id you mean ${meant}`))
  }
})
