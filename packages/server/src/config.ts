import { join, resolve } from 'node:path'
import type { AlertWebhookConfig } from './config/alert-webhook.ts'
import { describeAlertWebhook, readAlertWebhook } from './config/alert-webhook.ts'
import { readAuthority } from './config/authority.ts'
import { readConnections } from './config/connections.ts'
import { databaseUrlProblem, maskDatabaseUrl, maskUrl } from './config/database-url.ts'
import type { FailpointConfig } from './config/failpoint.ts'
import { readFailpoint } from './config/failpoint.ts'
import { installationDir } from './config/installation.ts'
import type { MailConfig } from './config/mail.ts'
import { describeMail, readMail } from './config/mail.ts'
import type { MasterKeySource } from './config/master-key.ts'
import { readMasterKey } from './config/master-key.ts'
import type { SettingProblem } from './config/reader.ts'
import { present, readerOf } from './config/reader.ts'
import type { SecondFactorRule } from './config/second-factor.ts'
import { readSecondFactor } from './config/second-factor.ts'
import type { Network } from './lib/addresses.ts'
import { networkToString } from './lib/addresses.ts'

export type Environment = 'staging' | 'production'

const DEMO_EXTENTS = ['all', 'accounts', 'none'] as const
export type DemoExtent = (typeof DEMO_EXTENTS)[number]

export type DatabaseSource = { kind: 'embedded' } | { kind: 'external'; url: string }

export type Config = {
  readonly environment: Environment
  /** Number of processes that answer requests, on one port. */
  readonly processes: number
  readonly host: string
  /** Port; 0 for any free one. */
  readonly port: number
  /** Addresses as clients see them; when undefined, derived from host and port once listening. */
  readonly publicUrl: string | undefined
  readonly dashboardUrl: string | undefined
  readonly metricsHost: string
  /** Port of the metrics; when undefined, the usual port, or a free one when it is taken. */
  readonly metricsPort: number | undefined
  readonly dataDir: string
  readonly database: DatabaseSource
  readonly databaseConnectionsMax: number
  /** Limit of one statement of a request. */
  readonly statementMs: number
  readonly masterKey: MasterKeySource
  /** Extent of the demo data that staging seeds on an empty database. */
  readonly demo: DemoExtent
  readonly trustProxy: readonly Network[]
  readonly rateLimit: number
  readonly rateBlockMinutes: number
  readonly rateExempt: readonly Network[]
  readonly requestTimeoutMs: number
  readonly requestsMax: number
  readonly connectionsMax: number
  readonly connectionsPerAddressMax: number
  /** Longest time a reader may take no byte of an answer. */
  readonly writeStallMs: number
  readonly logLevel: string
  readonly simulator: SimulatorConfig
  readonly outbound: OutboundConfig
  /** Limit of one attempt to deliver an event: connecting, sending and the whole answer. */
  readonly deliveryTimeoutMs: number
  /** Networks that deliveries come from, for resellers to let in; empty when they are not told. */
  readonly senderAddresses: readonly Network[]
  /** Company that runs the service, as its statements name it. */
  readonly issuer: string
  /** Days for which the feed, deliveries and their attempts are kept. */
  readonly retention: {
    readonly feedDays: number
    readonly deliveryDays: number
    readonly attemptDays: number
  }
  /** Rule for operators. With `required`, those without a second factor can do nothing but set one up. */
  readonly operatorSecondFactor: SecondFactorRule
  /** Ringgit; an operator resolves a payment that costs more only when a second one approves. */
  readonly resolveAloneMax: number
  /** Percent by which a price may move; a larger change needs a second person. */
  readonly priceChangeMaxPercent: number
  readonly mail: MailConfig
  readonly alertWebhook: AlertWebhookConfig | undefined
  /** Time for which the node that took a payment, or took it over, has it to itself. */
  readonly leaseMs: number
  /** Place for crash tests: where the process ends, and at which pass. */
  readonly failpoint: FailpointConfig | undefined
}

/** Settings of the simulator, which provides everything in staging. */
export type SimulatorConfig = {
  /** Address of a simulator that runs as a server of its own; undefined for the one in this process. */
  readonly url: string | undefined
  readonly timeoutMs: number
}

export type OutboundConfig = {
  /** Name servers for suppliers, webhooks and mail; undefined for those of the system. */
  readonly nameServers: readonly string[] | undefined
  /** Networks and authority that local work may use beyond the open internet; production has neither. */
  readonly allow: readonly Network[]
  readonly authority: { readonly path: string; readonly pem: string } | undefined
}

export type Env = Readonly<Record<string, string | undefined>>

export class ConfigError extends Error {
  readonly problems: readonly SettingProblem[]
  constructor(problems: readonly SettingProblem[]) {
    super(`The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const REQUEST_TIMEOUT_SECONDS_MAX = 29
const DELIVERY_TIMEOUT_SECONDS_MAX = 30

/** Reads the whole environment once, and reports every problem together. */
export function readConfig(env: Env = process.env): Config {
  const problems: SettingProblem[] = []
  const read = readerOf(env, problems)

  const environment = read.oneOf('WARUNG_ENV', ['staging', 'production'] as const, 'staging')
  const dataDir = resolve(read.text('WARUNG_DATA_DIR', join(installationDir(), '.warung')))
  const database = readDatabase(env, environment, problems)
  const config: Config = {
    environment,
    processes: read.integer('WARUNG_PROCESSES', 1, 1, 64),
    host: read.text('WARUNG_HOST', '127.0.0.1'),
    port: read.integer('WARUNG_PORT', 3000, 0, 65_535),
    publicUrl: readPublicUrl(env, 'WARUNG_PUBLIC_URL', environment, problems),
    dashboardUrl: readPublicUrl(env, 'WARUNG_DASHBOARD_URL', environment, problems),
    metricsHost: read.text('WARUNG_METRICS_HOST', '127.0.0.1'),
    metricsPort: present(env.WARUNG_METRICS_PORT)
      ? read.integer('WARUNG_METRICS_PORT', 0, 0, 65_535)
      : undefined,
    dataDir,
    database,
    databaseConnectionsMax: read.integer('WARUNG_DATABASE_CONNECTIONS', 16, 4, 500),
    statementMs: 1_000 * read.integer('WARUNG_DATABASE_STATEMENT_SECONDS', 10, 1, 12),
    masterKey: readMasterKey(
      env,
      { environment, isExternal: database.kind === 'external', dataDir },
      problems,
    ),
    demo: read.oneOf('WARUNG_DEMO', DEMO_EXTENTS, environment === 'staging' ? 'all' : 'none'),
    trustProxy: readTrustProxy(env, read, environment, problems),
    rateLimit: read.integer('WARUNG_RATE_LIMIT', 30_000, 1, 1_000_000_000),
    rateBlockMinutes: read.integer('WARUNG_RATE_BLOCK_MINUTES', 240, 1, 100_000),
    rateExempt: read.networks('WARUNG_RATE_EXEMPT'),
    requestTimeoutMs:
      1_000 *
      read.integer(
        'WARUNG_REQUEST_TIMEOUT_SECONDS',
        REQUEST_TIMEOUT_SECONDS_MAX,
        1,
        REQUEST_TIMEOUT_SECONDS_MAX,
      ),
    requestsMax: read.integer('WARUNG_REQUESTS_MAX', 1_000, 1, 100_000),
    ...readConnections(read),
    logLevel: read.oneOf('WARUNG_LOG_LEVEL', LOG_LEVELS, 'info'),
    simulator: {
      url: readSimulatorUrl(env, environment, problems),
      timeoutMs: 1_000 * read.integer('WARUNG_SIMULATOR_TIMEOUT_SECONDS', 10, 1, 60),
    },
    outbound: {
      nameServers: read.nameServers('WARUNG_DNS_SERVERS'),
      allow: read.networks('WARUNG_OUTBOUND_ALLOW'),
      authority: readAuthority(env, problems),
    },
    deliveryTimeoutMs:
      1_000 *
      read.integer(
        'WARUNG_DELIVERY_TIMEOUT_SECONDS',
        DELIVERY_TIMEOUT_SECONDS_MAX,
        1,
        DELIVERY_TIMEOUT_SECONDS_MAX,
      ),
    senderAddresses: read.networks('WARUNG_SENDER_ADDRESSES'),
    issuer: read.line('WARUNG_ISSUER', 'Warung', 200),
    retention: {
      feedDays: read.integer('WARUNG_FEED_DAYS', 30, 1, 3_650),
      deliveryDays: read.integer('WARUNG_DELIVERY_DAYS', 90, 1, 3_650),
      attemptDays: read.integer('WARUNG_ATTEMPT_DAYS', 90, 1, 3_650),
    },
    operatorSecondFactor: readSecondFactor(read, environment),
    resolveAloneMax: read.integer('WARUNG_RESOLVE_ALONE_MAX', 100, 0, 1_000_000_000),
    priceChangeMaxPercent: read.integer('WARUNG_PRICE_CHANGE_MAX_PERCENT', 20, 0, 1_000),
    mail: readMail(env, problems),
    alertWebhook: readAlertWebhook(env, environment, problems),
    leaseMs: 1_000 * read.integer('WARUNG_LEASE_SECONDS', 60, 2, 600),
    failpoint: readFailpoint(env, environment, problems),
  }
  if (config.leaseMs <= config.simulator.timeoutMs) {
    problems.push(['WARUNG_LEASE_SECONDS', 'must be longer than a provider may take to answer'])
  }
  if (environment === 'production' && config.demo !== 'none')
    problems.push(['WARUNG_DEMO', 'production has no demo'])
  if (environment === 'production') {
    for (const name of ['WARUNG_OUTBOUND_ALLOW', 'WARUNG_OUTBOUND_CA']) {
      if (present(env[name])) problems.push([name, `production connects to public, proven addresses alone`])
    }
  }
  for (const name of unknownNames(env)) problems.push([name, `no such setting; see docs/configuration.md`])
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** Lists every setting with its value, secrets and passwords masked, for the start-up log and `warungd config`. */
export function describeConfig(config: Config): Record<string, string | number> {
  return {
    environment: config.environment,
    listen: `${config.host}:${config.port}`,
    processes: config.processes,
    public_url: config.publicUrl ?? '(from the listening address)',
    dashboard_url: config.dashboardUrl ?? '(from the listening address)',
    metrics: `${config.metricsHost}:${config.metricsPort ?? '(9464, or a free port)'}`,
    data_dir: config.dataDir,
    database: describeDatabase(config),
    database_connections_max: config.databaseConnectionsMax,
    database_statement_ms: config.statementMs,
    master_key:
      config.masterKey.kind === 'file'
        ? `file ${config.masterKey.path}`
        : `given, id ${config.masterKey.current.id}${config.masterKey.next ? `, next ${config.masterKey.next.id}` : ''}`,
    demo: config.demo,
    trust_proxy: config.trustProxy.map(networkToString).join(', ') || 'none',
    rate_limit: `${config.rateLimit} requests per 5 minutes, then blocked for ${config.rateBlockMinutes} minutes`,
    rate_exempt: config.rateExempt.map(networkToString).join(', ') || '(none)',
    request_timeout_ms: config.requestTimeoutMs,
    requests_max: config.requestsMax,
    connections_max: `${config.connectionsMax}, ${config.connectionsPerAddressMax} of one address`,
    write_stall_seconds: config.writeStallMs / 1_000,
    log_level: config.logLevel,
    simulator: `${config.simulator.url === undefined ? 'in this process' : maskUrl(config.simulator.url)}, ${config.simulator.timeoutMs / 1_000} s`,
    dns_servers: config.outbound.nameServers?.join(', ') ?? "(the system's)",
    outbound_allow: config.outbound.allow.map(networkToString).join(', ') || '(none)',
    outbound_ca: config.outbound.authority?.path ?? '(none)',
    delivery_timeout_ms: config.deliveryTimeoutMs,
    issuer: config.issuer,
    sender_addresses: config.senderAddresses.map(networkToString).join(', ') || '(not said)',
    retention_days: `feed ${config.retention.feedDays}, deliveries ${config.retention.deliveryDays}, attempts ${config.retention.attemptDays}`,
    operator_second_factor: config.operatorSecondFactor,
    resolve_alone_max: config.resolveAloneMax,
    price_change_max_percent: config.priceChangeMaxPercent,
    ...describeMail(config.mail, config.environment),
    alert_webhook: describeAlertWebhook(config.alertWebhook),
    lease_seconds: config.leaseMs / 1_000,
    ...(config.failpoint && { failpoint: `${config.failpoint.name}:${config.failpoint.times}` }),
  }
}

/** Tells whether the environment names a database. */
export function namesDatabase(env: Env = process.env): boolean {
  return present(env.DATABASE_URL) || present(env.WARUNG_DATA_DIR)
}

/** Describes the database in words for a person, without a password. */
export function describeDatabase({ database, dataDir }: Pick<Config, 'database' | 'dataDir'>): string {
  return database.kind === 'embedded' ? `embedded, in ${dataDir}` : maskDatabaseUrl(database.url)
}

export const NAMES: ReadonlySet<string> = new Set([
  'WARUNG_ALERT_WEBHOOK',
  'WARUNG_ALERT_WEBHOOK_SECRET',
  'WARUNG_ENV',
  'WARUNG_HOST',
  'WARUNG_PORT',
  'WARUNG_PROCESSES',
  'WARUNG_PUBLIC_URL',
  'WARUNG_DASHBOARD_URL',
  'WARUNG_METRICS_HOST',
  'WARUNG_METRICS_PORT',
  'WARUNG_DATA_DIR',
  'WARUNG_EMBEDDED',
  'WARUNG_DATABASE_CONNECTIONS',
  'WARUNG_DATABASE_STATEMENT_SECONDS',
  'WARUNG_MASTER_KEY',
  'WARUNG_MASTER_KEY_NEXT',
  'WARUNG_DEMO',
  'WARUNG_TRUST_PROXY',
  'WARUNG_RATE_LIMIT',
  'WARUNG_RATE_BLOCK_MINUTES',
  'WARUNG_RATE_EXEMPT',
  'WARUNG_REQUEST_TIMEOUT_SECONDS',
  'WARUNG_REQUESTS_MAX',
  'WARUNG_CONNECTIONS_MAX',
  'WARUNG_CONNECTIONS_PER_ADDRESS',
  'WARUNG_WRITE_STALL_SECONDS',
  'WARUNG_LOG_LEVEL',
  'WARUNG_SIMULATOR_URL',
  'WARUNG_SIMULATOR_TIMEOUT_SECONDS',
  'WARUNG_DNS_SERVERS',
  'WARUNG_OUTBOUND_ALLOW',
  'WARUNG_OUTBOUND_CA',
  'WARUNG_SENDER_ADDRESSES',
  'WARUNG_ISSUER',
  'WARUNG_FEED_DAYS',
  'WARUNG_DELIVERY_DAYS',
  'WARUNG_ATTEMPT_DAYS',
  'WARUNG_OPERATOR_SECOND_FACTOR',
  'WARUNG_RESOLVE_ALONE_MAX',
  'WARUNG_PRICE_CHANGE_MAX_PERCENT',
  'WARUNG_SMTP_URL',
  'WARUNG_MAIL_FROM',
  'WARUNG_LEASE_SECONDS',
  'WARUNG_DELIVERY_TIMEOUT_SECONDS',
  'WARUNG_FAILPOINT',
])

/** Lists unknown settings: a misspelt one would otherwise be silently ignored. */
function unknownNames(env: Env): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('WARUNG_') && !name.startsWith('WARUNG_TEST_') && !NAMES.has(name))
    .sort()
}

function readDatabase(env: Env, environment: Environment, problems: SettingProblem[]): DatabaseSource {
  const url = env.DATABASE_URL
  if (present(url)) {
    const problem = databaseUrlProblem(url)
    if (problem !== undefined) problems.push(['DATABASE_URL', `${problem}`])
    return { kind: 'external', url }
  }
  const wished = env.WARUNG_EMBEDDED
  if (present(wished) && wished !== '1' && wished !== 'true') {
    problems.push(['WARUNG_EMBEDDED', 'set it to 1, or leave it out'])
  }
  if (environment === 'production' && !present(wished)) {
    problems.push([
      'DATABASE_URL',
      'production needs a PostgreSQL server (or WARUNG_EMBEDDED=1 to wish for the embedded one)',
    ])
  }
  return { kind: 'embedded' }
}

/**
 * Reads the proxies that are trusted to tell the client's address. Production must name them: behind a proxy that is
 * not named, all clients count as one address, and one of them over the rate limit gets all of them blocked.
 */
function readTrustProxy(
  env: Env,
  read: ReturnType<typeof readerOf>,
  environment: Environment,
  problems: SettingProblem[],
): Network[] {
  const text = (env.WARUNG_TRUST_PROXY ?? '').trim()
  if (text.toLowerCase() === 'none') return []
  if (text === '' && environment === 'production') {
    problems.push([
      'WARUNG_TRUST_PROXY',
      'production needs the addresses of the proxy in front of it (such as 127.0.0.1, ::1), ' +
        'or none when clients connect to it directly',
    ])
  }
  return read.networks('WARUNG_TRUST_PROXY')
}

function readPublicUrl(
  env: Env,
  name: string,
  environment: Environment,
  problems: SettingProblem[],
): string | undefined {
  const text = env[name]
  if (!present(text)) {
    if (environment === 'production') problems.push([name, `production needs the address clients use`])
    return undefined
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    problems.push([name, `must be an absolute http or https address without credentials, query or fragment`])
    return undefined
  }
  if (environment === 'production' && url.protocol !== 'https:') {
    problems.push([name, `must be https in production`])
  }
  return text.replace(/\/+$/, '')
}

function readSimulatorUrl(
  env: Env,
  environment: Environment,
  problems: SettingProblem[],
): string | undefined {
  const text = env.WARUNG_SIMULATOR_URL
  if (!present(text)) return undefined
  if (environment === 'production') problems.push(['WARUNG_SIMULATOR_URL', 'production has no simulator'])
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    problems.push(['WARUNG_SIMULATOR_URL', 'must be an http or https address'])
    return undefined
  }
  return text
}
