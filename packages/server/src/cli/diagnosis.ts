import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { readClockDifferenceMs, readServerVersion } from '../db/diagnosis.ts'
import { pendingMigrations } from '../db/migrate.ts'
import { RATE_ONE } from '../lib/rates.ts'
import type { PriceLevel } from '../modules/catalog/product/types.ts'
import { loadCatalog } from '../modules/catalog/store/load.service.ts'
import { listConnections } from '../modules/providers/connections/connections.service.ts'
import { listRoutes } from '../modules/providers/connections/routing.service.ts'
import type { Route } from '../modules/providers/connections/routing.types.ts'
import { ANY_PRODUCT } from '../modules/providers/connections/routing.types.ts'

// The single checks of `warungd doctor`. Each says what it found, and what to do about it.

export type Finding = {
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly text: string
  /** Empty where there is nothing to do. */
  readonly remedy: string
}

export function ok(check: string, text: string): Finding {
  return { check, state: 'ok', text, remedy: '' }
}

export function warn(check: string, text: string, remedy: string): Finding {
  return { check, state: 'warn', text, remedy }
}

export function fail(check: string, text: string, remedy: string): Finding {
  return { check, state: 'fail', text, remedy }
}

// ── Settings ──

export function checkSettings(config: Config): Finding[] {
  return [
    ok('settings', `${config.environment}; every setting can be read`),
    checkProxy(config),
    checkMail(config),
    checkSecondFactor(config),
  ]
}

const LOOPBACK = /^(127\.|::1$|localhost$)/

function checkProxy({ environment, host, trustProxy }: Config): Finding {
  if (trustProxy.length > 0) return ok('proxy', `${trustProxy.length} network(s) of proxies are trusted`)
  if (environment === 'production' || LOOPBACK.test(host)) {
    return ok('proxy', 'no proxy is trusted: clients connect directly')
  }
  return warn(
    'proxy',
    `the service listens on ${host} and trusts no proxy`,
    'Behind a proxy, set WARUNG_TRUST_PROXY to its address: else all clients count as one.',
  )
}

function checkMail({ environment, mail }: Config): Finding {
  if (mail.smtpUrl !== undefined) return ok('mail', `sent from ${mail.sender.address}`)
  if (environment === 'staging') return ok('mail', 'kept in the mailbox of staging')
  return warn('mail', 'no mail server: mails wait', 'Set WARUNG_SMTP_URL and WARUNG_MAIL_FROM.')
}

function checkSecondFactor({ environment, operatorSecondFactor }: Config): Finding {
  if (operatorSecondFactor === 'required' || environment === 'staging') {
    return ok('second factor', `${operatorSecondFactor} for operators`)
  }
  return warn(
    'second factor',
    'operators may sign in with a password alone',
    'Set WARUNG_OPERATOR_SECOND_FACTOR=required.',
  )
}

// ── The machine ──

const MEGABYTE = 1_048_576
const FREE_LEAST_BYTES = 200 * MEGABYTE
const FREE_GOOD_BYTES = 2_048 * MEGABYTE

export async function checkDisk({ dataDir }: Config): Promise<Finding> {
  const place = await existingPart(dataDir)
  try {
    await access(place, constants.W_OK)
  } catch {
    return fail(
      'disk',
      `${place} cannot be written to`,
      'Give its user the right to write, or set WARUNG_DATA_DIR.',
    )
  }
  const { bavail, bsize } = await statfs(place)
  const free = bavail * bsize
  const text = `${Math.floor(free / MEGABYTE)} MB are free for ${dataDir}`
  const remedy = 'Make room, or move the data directory to a larger disk.'
  if (free < FREE_LEAST_BYTES) return fail('disk', text, remedy)
  return free < FREE_GOOD_BYTES ? warn('disk', text, remedy) : ok('disk', text)
}

/** The directory itself, or what of its path there is: a service that never ran has none. */
async function existingPart(path: string): Promise<string> {
  for (let part = path; ; part = dirname(part)) {
    const exists = await access(part).then(
      () => true,
      () => false,
    )
    if (exists || dirname(part) === part) return part
  }
}

// ── The database ──

const VERSION_MIN = 150_000
const CLOCK_GOOD_MS = 1_000
const CLOCK_WORST_MS = 30_000

export async function checkServer(database: Database, name: string): Promise<Finding[]> {
  const version = await readServerVersion(database)
  const release = `${Math.floor(version / 10_000)}.${version % 10_000}`
  const server =
    version >= VERSION_MIN
      ? ok('database', `PostgreSQL ${release}: ${name}`)
      : fail('database', `PostgreSQL ${release}: ${name}`, 'Use PostgreSQL 15 or newer.')
  return [server, checkClock(await readClockDifferenceMs(database))]
}

function checkClock(differenceMs: number): Finding {
  const text = `the database's clock differs by ${differenceMs} ms from this machine's`
  const remedy = 'Keep both clocks by a time service (NTP).'
  if (Math.abs(differenceMs) > CLOCK_WORST_MS) return fail('clock', text, remedy)
  return Math.abs(differenceMs) > CLOCK_GOOD_MS ? warn('clock', text, remedy) : ok('clock', text)
}

export async function checkMigrations(database: Database): Promise<Finding> {
  const { length } = await pendingMigrations(database)
  if (length === 0) return ok('migrations', 'the schema is up to date')
  return fail('migrations', `${length} migration(s) are not applied`, 'Run: warungd migrate')
}

// ── What is sold ──

const NAMED_MAX = 10

export async function checkSelling(database: Database, { environment }: Config): Promise<Finding[]> {
  const enabled = new Set(
    (await listConnections(database)).filter(({ isEnabled }) => isEnabled).map(({ code }) => code),
  )
  const routes = (await listRoutes(database)).filter(
    ({ isEnabled, provider }) => isEnabled && enabled.has(provider),
  )
  const { levels } = await loadCatalog(database)
  // Staging's simulator takes every product that has no route.
  return judgeSelling([...levels.values()], routes, environment === 'staging')
}

export function judgeSelling(
  levels: readonly PriceLevel[],
  routes: readonly Pick<Route, 'productCode' | 'cost'>[],
  hasFallback: boolean,
): Finding[] {
  const priced = new Set(levels.flatMap(({ prices }) => [...prices.keys()]))
  const routed = new Set(routes.map(({ productCode }) => productCode))
  const isCaught = hasFallback || routed.has(ANY_PRODUCT)
  const unrouted = isCaught ? [] : [...priced].filter((code) => !routed.has(code))
  const unpriced = [...routed].filter((code) => code !== ANY_PRODUCT && !priced.has(code))
  const below = listBelowCost(levels, routes)
  return [
    unrouted.length === 0
      ? ok('routes', 'every product with a price has a provider')
      : warn(
          'routes',
          `${unrouted.length} product(s) have a price and no route: ${named(unrouted)}`,
          'Run: warungd route set --product CODE --provider CODE',
        ),
    unpriced.length === 0
      ? ok('prices', 'every product with a route has a price')
      : warn(
          'prices',
          `${unpriced.length} product(s) have a route and no price: ${named(unpriced)}`,
          'Run: warungd catalog price, or take the route away: warungd route remove',
        ),
    below.length === 0
      ? ok('below cost', 'no percentage price is below the cheapest percentage cost of its routes')
      : warn(
          'below cost',
          `${below.length} price(s) are below the cheapest route's cost: ${named(below)}`,
          'Compare warungd route list with the prices of these levels.',
        ),
  ]
}

/** A cost of 9,700 is 97 % of the face value. */
const RATE_PER_COST = RATE_ONE / 10_000n

/** Percentages alone: fixed prices and costs depend on the amount. A route without a cost makes it unknown. */
function listBelowCost(
  levels: readonly PriceLevel[],
  routes: readonly Pick<Route, 'productCode' | 'cost'>[],
): string[] {
  const cheapest = new Map<string, bigint | null>()
  for (const { productCode, cost } of routes) {
    const value = cost?.kind === 'percentage' ? cost.value * RATE_PER_COST : null
    const before = cheapest.get(productCode)
    const isLess = before === undefined || (before !== null && value !== null && value < before)
    if (isLess || value === null) cheapest.set(productCode, value)
  }
  return levels.flatMap(({ code, prices }) =>
    [...prices].flatMap(([product, { discountType, unitPrice }]) => {
      const cost = cheapest.get(product) ?? null
      return discountType === 'percentage' && cost !== null && unitPrice < cost
        ? [`${product} at ${code}`]
        : []
    }),
  )
}

function named(codes: readonly string[]): string {
  const shown = codes.toSorted().slice(0, NAMED_MAX).join(', ')
  return codes.length > NAMED_MAX ? `${shown}, …` : shown
}
