import { Resolver } from 'node:dns/promises'
import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { isIP } from 'node:net'
import { dirname } from 'node:path'
import { readBackupAge, readLogAge } from '../backup/ages.ts'
import { readArchiver } from '../backup/sql.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { ServerDescription } from '../db/diagnosis.ts'
import { describeServer, readClockDifferenceMs } from '../db/diagnosis.ts'
import { countSteps, listSuperseded, pendingMigrations } from '../db/migrate.ts'
import { examineStandby } from '../db/standby/reader.ts'
import { bareHost } from '../lib/addresses.ts'
import { loadCatalog } from '../modules/catalog/store/load.service.ts'
import { readMarginProblems } from '../modules/margins/standing.service.ts'
import { listRestores } from '../modules/payments/restores/service.ts'
import type { Names } from '../outbound/names.ts'
import { namesOfMail } from '../outbound/purposes.ts'

// Checks of `warungd doctor`. Each one returns what it found, and what to do about it.

export type Finding = {
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly text: string
  /** Empty if there is nothing to do. */
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
    ...checkExamples(config),
    checkProxy(config),
    checkMail(config),
    checkSecondFactor(config),
  ]
}

// Names that belong to nobody (RFC 2606, RFC 6761): a setting with one was copied from an example and not changed.
const EXAMPLE = /(^|[.@])example(\.(com|net|org))?$|\.(example|invalid)$/i
/** Values of deploy/warung.env.example. */
const EXAMPLE_ISSUER = 'Your Company Sdn Bhd'
const EXAMPLE_PASSWORD = 'PASSWORD'

/** Finds settings that still have the values of an example file. */
function checkExamples(config: Config): Finding[] {
  const { database, mail, environment, alertWebhook } = config
  const urls = {
    WARUNG_PUBLIC_URL: config.publicUrl,
    WARUNG_DASHBOARD_URL: config.dashboardUrl,
    WARUNG_SMTP_URL: mail.smtpUrl,
    WARUNG_ALERT_WEBHOOK: alertWebhook?.url,
    DATABASE_URL: database.kind === 'external' ? database.url : undefined,
  }
  const found = Object.entries(urls).filter(([, url]) => url !== undefined && EXAMPLE.test(hostOf(url)))
  const names = found.map(([name]) => name)
  if (mail.smtpUrl !== undefined && EXAMPLE.test(mail.sender.address)) names.push('WARUNG_MAIL_FROM')
  if (EXAMPLE.test(config.securityContact ?? '')) names.push('WARUNG_SECURITY_CONTACT')
  if (config.issuer === EXAMPLE_ISSUER) names.push('WARUNG_ISSUER')
  if (database.kind === 'external' && passwordOf(database.url) === EXAMPLE_PASSWORD)
    names.push('DATABASE_URL')
  if (names.length === 0) return []
  const text = `still as in an example file: ${[...new Set(names)].join(', ')}`
  const judge = environment === 'production' ? fail : warn
  return [judge('example', text, 'Set them to your own values; docs/configuration.md has every setting.')]
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : ''
}

function passwordOf(url: string): string {
  return URL.canParse(url) ? new URL(url).password : ''
}

/** Looks up the mail server, and the domain of the sender: receivers refuse mails of a domain that nobody has. */
export async function checkMailNames({ mail, outbound }: Config): Promise<Finding[]> {
  if (mail.smtpUrl === undefined) return []
  const domain = mail.sender.address.split('@').at(-1) ?? ''
  const host = hostOf(mail.smtpUrl)
  const names = namesOfMail(outbound.nameServers)
  const [hasHost, hasDomain] = await Promise.all([
    hasAddress(names, host),
    hasMailExchanger(domain, outbound.nameServers).then((has) => has || hasAddress(names, domain)),
  ])
  const missing = [
    ...(hasHost ? [] : [`WARUNG_SMTP_URL: ${host}`]),
    ...(hasDomain ? [] : [`WARUNG_MAIL_FROM: ${domain}`]),
  ]
  if (missing.length === 0) return []
  const text = `these names are not found: ${missing.join(', ')}`
  return [
    warn('mail names', text, 'Compare them with your mail server, or mend the name servers of this machine.'),
  ]
}

function hasAddress(names: Names, host: string): Promise<boolean> {
  if (isIP(bareHost(host)) !== 0) return Promise.resolve(true)
  return names.resolve(host).then(
    () => true,
    () => false,
  )
}

const LOOKUP_MS = 4_000

function hasMailExchanger(domain: string, servers: readonly string[] | undefined): Promise<boolean> {
  const resolver = new Resolver({ timeout: LOOKUP_MS, tries: 1 })
  if (servers !== undefined) resolver.setServers(servers)
  return resolver.resolveMx(domain).then(
    (found) => found.length > 0,
    () => false,
  )
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

/** Returns the directory, or the part of its path that exists: a service that never ran has no directory. */
async function existingPart(path: string): Promise<string> {
  for (let part = path; ; part = dirname(part)) {
    const exists = await access(part).then(
      () => true,
      () => false,
    )
    if (exists || dirname(part) === part) return part
  }
}

// ── Backups ──

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const LOG_AGE_MAX_MS = 10 * MINUTE_MS

export async function checkBackups({ backup, database, environment }: Config): Promise<Finding[]> {
  const { dir, ageMaxMs } = backup
  if (dir === undefined) {
    if (environment === 'staging') return [ok('backup', 'no folder of backups is set')]
    return [
      warn('backup', 'no folder of backups is set', 'Set WARUNG_BACKUP_DIR, as docs/guides/backups.md says.'),
    ]
  }
  const backupMs = await readBackupAge(dir, database.kind, Date.now())
  const age = backupMs === undefined ? `there is none in ${dir}` : `the newest is ${hoursOf(backupMs)} old`
  const remedy =
    database.kind === 'embedded' ? 'Run: warungd backup' : 'Look at the timer that runs pgBackRest.'
  return [backupMs !== undefined && backupMs <= ageMaxMs ? ok('backup', age) : warn('backup', age, remedy)]
}

/** Checks whether the log is archived, which only the server knows. */
export async function checkArchive(
  { backup, database: { kind } }: Config,
  database: Database,
): Promise<Finding[]> {
  const { dir } = backup
  if (dir === undefined) return []
  const logMs = await readLogAge(dir, kind, await readArchiver(database), Date.now())
  const text =
    logMs === undefined ? 'never archived' : `complete ${Math.floor(logMs / MINUTE_MS)} minutes ago`
  const remedy =
    kind === 'embedded'
      ? 'Start the service with WARUNG_BACKUP_DIR; if it runs, its log and that of its server say why.'
      : 'Set archive_mode, archive_command and archive_timeout; the log of PostgreSQL says why it fails.'
  const isComplete = logMs !== undefined && logMs <= LOG_AGE_MAX_MS
  return [isComplete ? ok('backup log', text) : warn('backup log', text, remedy)]
}

function hoursOf(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS)
  return `${hours} hour${hours === 1 ? '' : 's'}`
}

/** Checks whether a restore waits for a decision: until then unknown refids are not paid. */
export async function checkRestores(database: Database): Promise<Finding[]> {
  const open = (await listRestores(database, { limit: 10 })).find(({ acceptedAt }) => acceptedAt === null)
  if (open === undefined) return []
  const text = `restored to ${open.restoredTo.toISOString()} and not accepted: unknown refids are answered with 504`
  return [fail('restore', text, 'Ask providers and resellers, then run: warungd restore accept')]
}

// ── The database ──

const VERSION_MIN = 150_000
const CLOCK_GOOD_MS = 1_000
const CLOCK_WORST_MS = 30_000

export async function checkServer(database: Database, name: string): Promise<Finding[]> {
  const server = await describeServer(database)
  return [judgeServer(server, name), checkClock(await readClockDifferenceMs(database))]
}

/** Judges the version and the encoding. A server that was set up on a machine without a locale has SQL_ASCII. */
export function judgeServer({ version, encoding }: ServerDescription, name: string): Finding {
  const text = `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000}: ${name}`
  if (version < VERSION_MIN) return fail('database', text, 'Use PostgreSQL 15 or newer.')
  if (encoding === 'UTF8') return ok('database', text)
  const remedy =
    "Make the database with: create database … template template0 encoding 'UTF8' locale 'C.UTF-8'"
  return fail(
    'database',
    `${text}; its encoding is ${encoding}, so that names in other scripts are lost`,
    remedy,
  )
}

export function checkClock(differenceMs: number): Finding {
  const text = `the database's clock differs by ${differenceMs} ms from this machine's`
  const remedy = 'Keep both clocks by a time service (NTP).'
  if (Math.abs(differenceMs) > CLOCK_WORST_MS) return fail('clock', text, remedy)
  return Math.abs(differenceMs) > CLOCK_GOOD_MS ? warn('clock', text, remedy) : ok('clock', text)
}

/** Checks the standby that DATABASE_READ_URL names. Without it the primary answers all reads, so nothing fails. */
export async function checkStandby(database: Database, standby: Database): Promise<Finding> {
  const { isUsable, text } = await examineStandby(database, standby)
  if (isUsable) return ok('standby', `${text}: it answers lists, statements and files`)
  return warn(
    'standby',
    `${text}; the primary answers all reads`,
    'Compare DATABASE_READ_URL with the standby, and look at its replication.',
  )
}

export async function checkMigrations(database: Database): Promise<Finding> {
  const pending = await pendingMigrations(database)
  if (pending.length > 0) {
    return fail('migrations', `not applied: ${countSteps(pending)}`, 'Run: warungd migrate')
  }
  const newer = await listSuperseded(database)
  if (newer.length === 0) return ok('migrations', 'the schema is up to date')
  return ok('migrations', `the schema is up to date; a newer version has replaced: ${newer.join(', ')}`)
}

// ── Products ──

const NAMED_MAX = 10

/** Checks prices, costs and routes, with the same comparison as the alerts. */
export async function checkSelling(database: Database, { environment }: Config): Promise<Finding[]> {
  // Staging's simulator takes every product without a route.
  const standing = await readMarginProblems(database, await loadCatalog(database), environment === 'staging')
  const { belowCost, withoutRoute, withoutPrice } = standing
  return [
    withoutRoute.length === 0
      ? ok('routes', 'every product with a price has a provider')
      : warn(
          'routes',
          `${withoutRoute.length} product(s) have a price and no route: ${named(withoutRoute)}`,
          'Run: warungd route set --product CODE --provider CODE',
        ),
    withoutPrice.length === 0
      ? ok('prices', 'every product with a route has a price')
      : warn(
          'prices',
          `${withoutPrice.length} product(s) have a route and no price: ${named(withoutPrice)}`,
          'Run: warungd catalog price, or take the route away: warungd route remove',
        ),
    belowCost.size === 0
      ? ok('below cost', "no price is below the cheapest route's cost")
      : warn(
          'below cost',
          `${belowCost.size} product(s) are sold below the cheapest route's cost: ${named([...belowCost.keys()])}`,
          'Compare warungd route list with the prices of these products.',
        ),
  ]
}

function named(codes: readonly string[]): string {
  const shown = codes.toSorted().slice(0, NAMED_MAX).join(', ')
  return codes.length > NAMED_MAX ? `${shown}, …` : shown
}
