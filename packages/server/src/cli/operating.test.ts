import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Env } from '../config.ts'
import { readConfig } from '../config.ts'
import { prepareDemo } from '../demo/seed.ts'
import { PRODUCT_KINDS } from '../modules/catalog/model/types.ts'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import { callsOf, codeBlocks, simpleCommands } from '../testing/documented-commands.ts'
import { main } from './main.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

let test: TestDatabase
let folder: string

beforeEach(async () => {
  test = await openTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'warung-operating-'))
})

afterEach(async () => {
  await test.close()
  await rm(folder, { recursive: true, force: true })
})

function stagingEnv(): Env {
  return {
    WARUNG_MASTER_KEY: test.masterKey.bytes.toString('base64'),
    WARUNG_DATA_DIR: folder,
    DATABASE_URL: test.url,
  }
}

/** Runs every command of a text, in order, and expects that each ends with 0. */
async function expectToRun(text: string, env: Env): Promise<void> {
  const calls = callsOf('warungd', simpleCommands(text))
  expect(calls.length).toBeGreaterThan(10)
  for (const words of calls) {
    const args = words.map((word) => (word.startsWith('docs/') ? join(ROOT, word) : word))
    let said = ''
    const hear = (text: string) => {
      said += text
    }
    const code = await main(args, { out: hear, err: hear, readInput: async () => '' }, env)
    expect({ words, code, said }).toMatchObject({ code: 0 })
  }
}

it('the first commands work on an empty production database, in the order in which they are printed', async () => {
  const env = {
    ...stagingEnv(),
    WARUNG_ENV: 'production',
    WARUNG_TRUST_PROXY: 'none',
    WARUNG_PUBLIC_URL: 'https://api.example.com',
    WARUNG_DASHBOARD_URL: 'https://app.example.com',
    WARUNG_MAIL_FROM: 'Warung <warung@example.com>',
    WARUNG_SMTP_URL: 'smtps://user:password@mail.example.com',
  }
  await expectToRun(await readFile(join(ROOT, 'docs/examples/operating.sh'), 'utf8'), env)
}, 120_000)

it('the starter catalogue has one product of each kind, each with a price, and an empty database takes it', async () => {
  const file = join(ROOT, 'docs/examples/starter-catalog.json')
  const { products, prices } = JSON.parse(await readFile(file, 'utf8')) as {
    products: { code: string; kind: string }[]
    prices: { product: string }[]
  }
  expect(products.map(({ kind }) => kind).toSorted()).toEqual([...PRODUCT_KINDS].toSorted())
  expect(prices.map(({ product }) => product)).toEqual(products.map(({ code }) => code))
  let said = ''
  const hear = (text: string) => {
    said += text
  }
  const args = ['catalog', 'import', '--file', file, '--dry-run']
  const code = await main(args, { out: hear, err: hear, readInput: async () => '' }, stagingEnv())
  expect({ code, said }).toMatchObject({ code: 0 })
})

/** Returns the commands of the operator's handbook. */
async function handbookBlock(): Promise<string> {
  const handbook = await readFile(join(ROOT, 'docs/operators.md'), 'utf8')
  return codeBlocks(handbook, new Set(['sh'])).find((text) => text.includes('warungd help')) ?? ''
}

it('the commands of the handbook work on an empty database', async () => {
  await expectToRun(await handbookBlock(), stagingEnv())
}, 120_000)

it('the commands of the handbook work on the demo, and leave its groups and categories as they are', async () => {
  const env = stagingEnv()
  const { database, vault } = test
  const addresses = { baseUrl: 'http://127.0.0.1:3000', dashboardUrl: 'http://127.0.0.1:3000/' }
  await prepareDemo({ config: readConfig(env), database, vault }, addresses)
  const before = await listParts()
  await expectToRun(await handbookBlock(), env)
  expect(await listParts()).toEqual(expect.arrayContaining(before))
})

async function listParts(): Promise<unknown[]> {
  const columns = 'code, name, icon_url'
  const { rows } = await test.database.query(
    `select 'group' as part, ${columns} from catalog_groups
     union all select 'category', ${columns} from catalog_categories`,
  )
  expect(rows.length).toBeGreaterThan(0)
  return rows
}
