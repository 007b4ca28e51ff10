import type { Config } from '../config.ts'
import type { Database, Queryable, Tx } from '../db/database.ts'
import { joined } from '../db/joined.ts'
import { withLongStatements } from '../db/long-statements.ts'
import type { Vault } from '../db/vault.ts'
import { assert } from '../lib/errors.ts'
import { UNITS_PER_RINGGIT } from '../lib/money.ts'
import { generatePassword, randomBase62 } from '../lib/secrets/passwords.ts'
import { createApiKey, getApiKey, listApiKeys, revokeApiKey } from '../modules/accounts/keys.service.ts'
import { findApiKeyByKey } from '../modules/accounts/keys.sql.ts'
import { findReseller } from '../modules/accounts/public.sql.ts'
import type { Accounts } from '../modules/accounts/service.ts'
import {
  createReseller,
  createUser,
  getReseller,
  listResellers,
  listUsers,
  lockIfEmpty,
  updateUser,
  within,
} from '../modules/accounts/service.ts'
import type { Reseller } from '../modules/accounts/types.ts'
import { createAuditLog } from '../modules/audit/service.ts'
import { isUntouched } from '../modules/catalog/store/load.service.ts'
import { closeDays } from '../modules/finance/closings/closings.jobs.ts'
import { deposit } from '../modules/wallet/balance/service.ts'
import type { DemoResellerIds } from './catalog/seed.ts'
import { seedDemoBase, seedDemoCatalog, seedDemoViews } from './catalog/seed.ts'
import type { DemoCredentials, DemoOperators, DemoReseller, DemoShop } from './credentials.ts'
import { allResellers, demoPath, listCandidates, publish, writePending } from './credentials.ts'
import type { DemoHistory } from './history.ts'
import { readWorld, seedDemoHistory } from './history.ts'
import { seedDemoNumbers } from './numbers.ts'
import { reissueOperators, seedBothOperators, seedFirstOperator } from './operators.ts'
import type { SeededShop } from './shop.ts'
import { seedShopHistory, seedShopWork } from './shop.ts'
import { seedDemoHealth, seedDemoSupplier } from './supplier.ts'

/** Parts of the runtime that the demo needs. */
export type DemoRuntime = { readonly config: Config; readonly database: Database; readonly vault: Vault }

export type DemoAddresses = { readonly baseUrl: string; readonly dashboardUrl: string }

export type Demo = { readonly path: string; readonly credentials: DemoCredentials }

const KEY_LABEL = 'demo'
const KIOSK_LABEL = 'Kiosk'
const RESELLERS_MAX = 10

const DEMO_RESELLERS = [
  {
    name: 'Kedai Maju',
    slug: 'kedai-maju',
    priceLevel: 'STANDARD',
    deposits: [1_000_000n, 250_000n].map(toUnits),
    past: { prefix: 'KM', paymentCount: 400 },
  },
  {
    name: 'Borneo Reload',
    slug: 'borneo-reload',
    priceLevel: 'BORNEO',
    deposits: [100_000n, 50_000n].map(toUnits),
    past: { prefix: 'BR', paymentCount: 150 },
  },
] as const

/** Reseller for people who look around (shop.ts). Only a whole demo with payments has it. */
const SHOP = { name: 'Kedai Siti', slug: 'kedai-siti', priceLevel: 'STANDARD' } as const

function toUnits(ringgit: bigint): bigint {
  return ringgit * UNITS_PER_RINGGIT
}

/**
 * Makes sure, in staging, that the demo file's credentials work in this database: seeds an empty database,
 * finds the file of an earlier start, or gives the demo's accounts new credentials if the file is lost. Returns
 * undefined in production, and where resellers exist but none of them belongs to the demo.
 */
export async function prepareDemo(
  given: DemoRuntime,
  addresses: DemoAddresses,
  note: (text: string) => void = () => {},
): Promise<Demo | undefined> {
  if (given.config.demo === 'none') return undefined
  // Seeding a catalogue, or waiting for a node that does, takes longer than a request's time limit.
  const ground = { ...given, database: withLongStatements(given.database) }
  const seeded = await seed(ground, addresses, note)
  // The service closes days minutes after its start; without this call, days of the seeded month would be
  // missing until then.
  if (seeded !== undefined) await closeDays({ database: ground.database })
  const credentials = seeded ?? (await findCredentials(ground)) ?? (await reissue(ground, addresses))
  if (credentials === undefined) return undefined
  // The catalogue was seeded with the accounts, unless the accounts were seeded alone.
  if (ground.config.demo === 'all') {
    await withResellerIds(ground.database, credentials.resellers, (ids) =>
      seedDemoCatalog(ground.database, ids),
    )
  }
  const current = { ...credentials, base_url: addresses.baseUrl, dashboard_url: addresses.dashboardUrl }
  await publish(ground.config.dataDir, current)
  return { path: demoPath(ground.config.dataDir), credentials: current }
}

async function withResellerIds(
  connection: Queryable,
  resellers: readonly DemoReseller[],
  work: (ids: DemoResellerIds) => Promise<void>,
): Promise<void> {
  const [first, second] = await Promise.all(resellers.map(({ account }) => findReseller(connection, account)))
  if (first !== undefined && second !== undefined) await work({ first: first.id, second: second.id })
}

/** Seeds everything in one transaction; if two nodes start at once, only one finds the database empty. */
function seed(
  ground: DemoRuntime,
  addresses: DemoAddresses,
  note: (text: string) => void,
): Promise<DemoCredentials | undefined> {
  return ground.database.transaction(async (tx) => {
    if (!(await lockIfEmpty(tx))) return undefined
    const isWhole = ground.config.demo === 'all'
    // The demo cannot know how to buy the products of a catalogue that existed before.
    const hasHistory = isWhole && (await isUntouched(tx))
    note(isWhole ? 'filling the demo catalogue with 21,500 billers' : 'making the demo accounts')
    if (isWhole) {
      await seedDemoBase(tx)
      await seedDemoNumbers(tx)
    }
    const accounts = accountsWithin(tx, ground)
    const resellers: DemoReseller[] = []
    for (const wanted of DEMO_RESELLERS) resellers.push(await seedReseller(accounts, wanted))
    const shop = hasHistory ? await withKiosk(accounts, tx, await seedReseller(accounts, SHOP)) : undefined
    if (isWhole) await withResellerIds(tx, resellers, (ids) => seedDemoViews(tx, ids))
    const histories = await listHistories(tx, resellers)
    if (hasHistory) note('writing a month of payments')
    await (shop === undefined ? seedDeposits(tx, histories) : seedHistories(tx, ground, histories, shop))
    const operators = isWhole
      ? await seedConsole(tx, ground, shop ?? resellers[0])
      : await seedFirstOperator(accounts)
    return keep(ground, addresses, operators, { resellers, shop })
  })
}

async function seedHistories(
  tx: Tx,
  ground: DemoRuntime,
  histories: readonly DemoHistory[],
  issued: DemoShop,
): Promise<void> {
  const database = joined(tx, ground.database)
  await seedDemoSupplier(database, ground.vault)
  const world = await readWorld(tx)
  const month = await seedDemoHistory(tx, ground.vault, world, histories)
  const shop = await findShop(tx, issued)
  const sales = await seedShopHistory(tx, ground, world, shop)
  await seedShopWork(tx, ground, world, shop, sales)
  await seedDemoHealth(database, [...month, ...sales])
}

async function findShop(tx: Tx, { account, api_key, username }: DemoReseller): Promise<SeededShop> {
  const reseller = await getReseller(tx, account)
  const key = await getApiKey(tx, reseller.id, api_key)
  const user = (await listUsers(tx, reseller.id)).find((each) => each.username === username)
  assert(user !== undefined, 'the shop has its admin')
  return { reseller, memberId: String(key.id), admin: { userId: user.id, username } }
}

async function seedConsole(
  tx: Tx,
  ground: DemoRuntime,
  depositor: DemoReseller | undefined,
): Promise<DemoOperators> {
  assert(depositor !== undefined, 'the demo has resellers')
  const log = createAuditLog({ database: joined(tx, ground.database), vault: ground.vault })
  const { database, vault, config } = ground
  const sessions = {
    database: joined(tx, database),
    vault,
    audit: log,
    config,
    nowMs: Date.now,
    onProblem: () => {},
  }
  const { priceChangeMaxPercent } = config
  return seedBothOperators(accountsWithin(tx, ground), log, {
    priceChangeMaxPercent,
    sessions,
    account: depositor.account,
  })
}

async function seedReseller(
  accounts: Accounts,
  wanted: Pick<(typeof DEMO_RESELLERS)[number] | typeof SHOP, 'name' | 'slug' | 'priceLevel'>,
): Promise<DemoReseller> {
  const reseller = await createReseller(accounts, {
    name: wanted.name,
    email: `hello@${wanted.slug}.example`,
    priceLevel: wanted.priceLevel,
    demo: true,
  })
  const issued = await issueAdmin(accounts, reseller, wanted.slug)
  // This password is never shown: `warungd user password` sets one when a viewer is wanted.
  await createUser(accounts, reseller.id, {
    username: `${wanted.slug}-viewer`,
    password: generatePassword(),
    role: 'viewer',
  })
  return issued
}

async function seedDeposits(tx: Tx, histories: readonly DemoHistory[]): Promise<void> {
  for (const { reseller, deposits } of histories) {
    for (const amount of deposits) {
      await deposit(tx, { resellerId: reseller.id, amount, remarks: 'Demo deposit' })
    }
  }
}

async function listHistories(tx: Tx, resellers: readonly DemoReseller[]): Promise<DemoHistory[]> {
  const histories: DemoHistory[] = []
  for (const [index, { deposits, past }] of DEMO_RESELLERS.entries()) {
    const seeded = resellers[index]
    assert(seeded !== undefined, 'every demo reseller was seeded')
    const reseller = await getReseller(tx, seeded.account)
    const key = await getApiKey(tx, reseller.id, seeded.api_key)
    histories.push({ reseller, memberId: String(key.id), deposits, ...past })
  }
  return histories
}

/** Finds the file that belongs to this database: every key in it was made here, even if it was revoked since. */
async function findCredentials({ config, database }: DemoRuntime): Promise<DemoCredentials | undefined> {
  for (const candidate of await listCandidates(config.dataDir)) {
    const known = await Promise.all(
      allResellers(candidate).map(async ({ account, api_key }) => {
        const reseller = await findReseller(database, account)
        return reseller !== undefined && (await findApiKeyByKey(database, reseller.id, api_key)) !== undefined
      }),
    )
    if (known.every((each) => each)) return candidate
  }
  return undefined
}

/**
 * Issues new credentials for a demo whose file is missing. With the embedded database the file was lost, so its
 * credentials are revoked. A shared database may have been seeded by another node, whose file must still work:
 * that node's credentials stay, and this node gets its own.
 */
async function reissue(ground: DemoRuntime, addresses: DemoAddresses): Promise<DemoCredentials | undefined> {
  const shared = ground.config.database.kind === 'external'
  return ground.database.transaction(async (tx) => {
    const accounts = accountsWithin(tx, ground)
    const found = await listResellers(tx, { limit: RESELLERS_MAX, demoOnly: true })
    if (found.length === 0) return undefined
    const resellers: DemoReseller[] = []
    for (const reseller of found) {
      if (!shared) await revokeDemoKeys(accounts, reseller)
      resellers.push(
        (shared ? undefined : await resetAdmin(accounts, reseller)) ??
          (await issueAdmin(accounts, reseller, `demo-${reseller.account}-${randomBase62(6)}`)),
      )
    }
    const isWhole = ground.config.demo === 'all'
    const operators = await reissueOperators(accounts, { isShared: shared, isWhole })
    const programs = resellers.slice(0, DEMO_RESELLERS.length)
    const shop = resellers[programs.length]
    return keep(ground, addresses, operators, {
      resellers: programs,
      shop: shop && (await withKiosk(accounts, tx, shop)),
    })
  })
}

async function revokeDemoKeys(accounts: Accounts, reseller: Reseller): Promise<void> {
  for (const key of await listApiKeys(accounts.database, reseller.id)) {
    if ([KEY_LABEL, KIOSK_LABEL].includes(key.label) && key.state !== 'revoked')
      await revokeApiKey(accounts, reseller.id, key.id)
  }
}

async function resetAdmin(accounts: Accounts, reseller: Reseller): Promise<DemoReseller | undefined> {
  const admin = (await listUsers(accounts.database, reseller.id)).find((user) => user.role === 'admin')
  if (admin === undefined) return undefined
  const password = generatePassword()
  await updateUser(accounts, reseller.id, admin.id, { password, status: 'active' })
  return issueKey(accounts, reseller, { username: admin.username, password })
}

async function issueAdmin(accounts: Accounts, reseller: Reseller, username: string): Promise<DemoReseller> {
  const password = generatePassword()
  const user = await createUser(accounts, reseller.id, { username, password, role: 'admin' })
  return issueKey(accounts, reseller, { username: user.username, password })
}

async function issueKey(
  accounts: Accounts,
  { id, account, name }: Reseller,
  login: { username: string; password: string },
): Promise<DemoReseller> {
  const { key, signingSecret } = await createApiKey(accounts, id, { label: KEY_LABEL })
  return { account, name, api_key: key, signing_secret: signingSecret ?? '', ...login }
}

/** Issues a key that can lose little: it sells reloads up to its caps. */
async function withKiosk(accounts: Accounts, tx: Tx, shop: DemoReseller): Promise<DemoShop> {
  const { id } = await getReseller(tx, shop.account)
  const { key, signingSecret } = await createApiKey(accounts, id, {
    label: KIOSK_LABEL,
    scopes: ['pay'],
    products: ['PREPAID_RELOAD'],
    maxAmount: 20n * UNITS_PER_RINGGIT,
    dailyCap: 50n * UNITS_PER_RINGGIT,
    note: 'At the door',
  })
  return { ...shop, kiosk: { api_key: key, signing_secret: signingSecret ?? '' } }
}

/** Writes the credentials to disk. It is the last step before the commit: from here on they survive a crash. */
async function keep(
  { config }: DemoRuntime,
  addresses: DemoAddresses,
  operators: DemoOperators,
  { resellers, shop }: { readonly resellers: readonly DemoReseller[]; readonly shop: DemoShop | undefined },
): Promise<DemoCredentials> {
  const credentials: DemoCredentials = {
    base_url: addresses.baseUrl,
    dashboard_url: addresses.dashboardUrl,
    environment: 'staging',
    ...operators,
    resellers,
    ...(shop !== undefined && { shop }),
  }
  await writePending(config.dataDir, credentials)
  return credentials
}

function accountsWithin(tx: Tx, { config, database, vault }: DemoRuntime): Accounts {
  return within(tx, { database, vault, environment: config.environment })
}
