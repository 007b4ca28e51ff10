import { join, resolve } from 'node:path'
import type { AlertWebhookConfig } from './config/alert-webhook.ts'
import { describeAlertWebhook, readAlertWebhook } from './config/alert-webhook.ts'
import { readAuthority } from './config/authority.ts'
import type { DatabaseSource } from './config/database.ts'
import { readDatabase } from './config/database.ts'
import { maskDatabaseUrl, maskUrl } from './config/database-url.ts'
import type { FailpointConfig } from './config/fields.ts'
import type { GroupConfig, ServerConfig } from './config/groups.ts'
import { describeGroups, readGroups } from './config/groups.ts'
import { installationDir } from './config/installation.ts'
import type { MailConfig } from './config/mail.ts'
import { describeMail, readMail } from './config/mail.ts'
import type { MasterKeySource } from './config/master-key.ts'
import { readMasterKey } from './config/master-key.ts'
import type { Env, ReadSetting, SettingProblem } from './config/reader.ts'
import { present, readerOf } from './config/reader.ts'
import type { ResolveAloneConfig } from './config/resolve-alone.ts'
import { describeResolveAlone, readResolveAlone } from './config/resolve-alone.ts'
import type { SettingValue } from './config/settings.ts'
import { METRICS_PORT, SETTINGS } from './config/settings.ts'
import type { TracesConfig } from './config/traces.ts'
import { describeTraces, readTraces } from './config/traces.ts'
import type { Network } from './lib/addresses.ts'
import { networkToString } from './lib/addresses.ts'

export type Environment = SettingValue<'WARUNG_ENV'>
export type DemoExtent = NonNullable<SettingValue<'WARUNG_DEMO'>>
export type SecondFactorRule = NonNullable<SettingValue<'WARUNG_OPERATOR_SECOND_FACTOR'>>

export type Config = {
  readonly environment: Environment
  /** Number of processes that answer requests, on one port. */
  readonly processes: number
  /** Time in which a process that replaces another has to be ready. */
  readonly workerMaxMs: number
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
  /** Schema that all tables lie in; undefined: the one that the connection leads to. */
  readonly schema: string | undefined
  /** Name of the group that these settings are of; undefined: the first one, which has no name in its API keys. */
  readonly group: string | undefined
  /** Groups that are served beside the first one. */
  readonly groups: readonly GroupConfig[]
  /** Servers to which groups can be moved. */
  readonly servers: readonly ServerConfig[]
  /** File that lists both; it is read again when it changes. */
  readonly groupsFile: string | undefined
  readonly databaseConnectionsMax: number
  /** Limit of one statement of a request. */
  readonly statementMs: number
  readonly masterKey: MasterKeySource
  readonly backup: BackupConfig
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
  readonly wire: SettingValue<'WARUNG_WIRE'>
  /** Time for which a stopping process, not ready any more, goes on accepting connections. */
  readonly drainMs: number
  /** Time that slow readers have at a stop for answers whose sending began. */
  readonly drainAnswersMs: number
  readonly logLevel: string
  readonly simulator: SimulatorConfig
  readonly outbound: OutboundConfig
  /** Limit of one attempt to deliver an event: connecting, sending and the whole answer. */
  readonly deliveryTimeoutMs: number
  /** Networks that deliveries come from, for resellers to let in; empty when they are not told. */
  readonly senderAddresses: readonly Network[]
  /** Company that runs the service, as its statements name it. */
  readonly issuer: string
  /** Mail address for reports of weaknesses; undefined: the documentation says how to report. */
  readonly securityContact: string | undefined
  /** Days for which the feed, deliveries and their attempts are kept. */
  readonly retention: {
    readonly feedDays: number
    readonly deliveryDays: number
    readonly attemptDays: number
  }
  /** Rule for operators. With `required`, those without a second factor can do nothing but set one up. */
  readonly operatorSecondFactor: SecondFactorRule
  readonly resolveAlone: ResolveAloneConfig
  /** Percent by which a price may move; a larger change needs a second person. */
  readonly priceChangeMaxPercent: number
  /** Percent by which what a supplier takes may differ from its route's cost before an operator is alerted. */
  readonly costDriftPercent: number
  /** Days after which an operator is alerted that the rate of a currency in use was not set anew. */
  readonly rateAgeDays: number
  /** Time for which a quote holds its cost. */
  readonly quoteSeconds: number
  readonly mail: MailConfig
  readonly alertWebhook: AlertWebhookConfig | undefined
  /** Collector of traces; undefined: there are no traces. */
  readonly traces: TracesConfig | undefined
  /** Time for which the node that took a payment, or took it over, has it to itself. */
  readonly leaseMs: number
  /** Place for crash tests: where the process ends, and at which pass. */
  readonly failpoint: FailpointConfig | undefined
}

export type BackupConfig = {
  /** Folder that the service receives the database's log into, and commands copy the database to; undefined: none. */
  readonly dir: string | undefined
  /** Age of the newest backup from which operators are alerted. */
  readonly ageMaxMs: number
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

export type { Env }

export class ConfigError extends Error {
  readonly problems: readonly SettingProblem[]
  constructor(problems: readonly SettingProblem[]) {
    super(`The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** Share of all connections for one address, 1/4: generous for many clients behind one, and never all of them. */
const SHARE_OF_ONE = 4

/** Time in which a load balancer that asks every two seconds notices that a node is not ready. */
const DRAIN_SECONDS_IN_PRODUCTION = 5

/** Reads the whole environment once, and reports every problem together. */
export function readConfig(env: Env = process.env): Config {
  const problems: SettingProblem[] = []
  const read = readerOf(env, problems)
  const seconds = (value: number) => 1_000 * value

  const environment = read('WARUNG_ENV')
  const isProduction = environment === 'production'
  const dataDir = resolve(read('WARUNG_DATA_DIR') ?? join(installationDir(), '.warung'))
  const database = readDatabase(env, read, environment, problems)
  const connectionsMax = read('WARUNG_CONNECTIONS_MAX')
  const publicUrl = readPublicUrl(read, 'WARUNG_PUBLIC_URL', environment, problems)
  const config: Config = {
    environment,
    processes: read('WARUNG_PROCESSES'),
    workerMaxMs: seconds(read('WARUNG_WORKER_SECONDS')),
    host: read('WARUNG_HOST'),
    port: read('WARUNG_PORT'),
    publicUrl,
    dashboardUrl: readPublicUrl(read, 'WARUNG_DASHBOARD_URL', environment, problems),
    metricsHost: read('WARUNG_METRICS_HOST'),
    metricsPort: read('WARUNG_METRICS_PORT') ?? (isProduction ? METRICS_PORT : undefined),
    dataDir,
    database,
    schema: read('WARUNG_SCHEMA'),
    group: undefined,
    ...readGroups(read, { environment, publicUrl }, problems),
    databaseConnectionsMax: read('WARUNG_DATABASE_CONNECTIONS'),
    statementMs: seconds(read('WARUNG_DATABASE_STATEMENT_SECONDS')),
    masterKey: readMasterKey(
      read,
      { environment, isExternal: database.kind === 'external', dataDir },
      problems,
    ),
    backup: readBackup(read),
    demo: read('WARUNG_DEMO') ?? (isProduction ? 'none' : 'all'),
    trustProxy: readTrustProxy(env, read, environment, problems),
    rateLimit: read('WARUNG_RATE_LIMIT'),
    rateBlockMinutes: read('WARUNG_RATE_BLOCK_MINUTES'),
    rateExempt: read('WARUNG_RATE_EXEMPT') ?? [],
    requestTimeoutMs: seconds(read('WARUNG_REQUEST_TIMEOUT_SECONDS')),
    requestsMax: read('WARUNG_REQUESTS_MAX'),
    connectionsMax,
    connectionsPerAddressMax:
      read('WARUNG_CONNECTIONS_PER_ADDRESS') ?? Math.ceil(connectionsMax / SHARE_OF_ONE),
    writeStallMs: seconds(read('WARUNG_WRITE_STALL_SECONDS')),
    wire: read('WARUNG_WIRE'),
    drainMs: seconds(read('WARUNG_DRAIN_SECONDS') ?? (isProduction ? DRAIN_SECONDS_IN_PRODUCTION : 0)),
    drainAnswersMs: seconds(read('WARUNG_DRAIN_ANSWERS_SECONDS')),
    logLevel: read('WARUNG_LOG_LEVEL'),
    simulator: {
      url: read('WARUNG_SIMULATOR_URL'),
      timeoutMs: seconds(read('WARUNG_SIMULATOR_TIMEOUT_SECONDS')),
    },
    outbound: {
      nameServers: read('WARUNG_DNS_SERVERS'),
      allow: read('WARUNG_OUTBOUND_ALLOW') ?? [],
      authority: readAuthority(read, problems),
    },
    deliveryTimeoutMs: seconds(read('WARUNG_DELIVERY_TIMEOUT_SECONDS')),
    senderAddresses: read('WARUNG_SENDER_ADDRESSES') ?? [],
    issuer: read('WARUNG_ISSUER'),
    securityContact: read('WARUNG_SECURITY_CONTACT'),
    retention: {
      feedDays: read('WARUNG_FEED_DAYS'),
      deliveryDays: read('WARUNG_DELIVERY_DAYS'),
      attemptDays: read('WARUNG_ATTEMPT_DAYS'),
    },
    operatorSecondFactor: read('WARUNG_OPERATOR_SECOND_FACTOR') ?? (isProduction ? 'required' : 'optional'),
    resolveAlone: readResolveAlone(read),
    priceChangeMaxPercent: read('WARUNG_PRICE_CHANGE_MAX_PERCENT'),
    costDriftPercent: read('WARUNG_COST_DRIFT_PERCENT'),
    rateAgeDays: read('WARUNG_RATE_AGE_DAYS'),
    quoteSeconds: read('WARUNG_QUOTE_SECONDS'),
    mail: readMail(read, problems),
    alertWebhook: readAlertWebhook(read, environment, problems),
    traces: readTraces(read),
    leaseMs: seconds(read('WARUNG_LEASE_SECONDS')),
    failpoint: read('WARUNG_FAILPOINT'),
  }
  if (config.leaseMs <= config.simulator.timeoutMs) {
    problems.push(['WARUNG_LEASE_SECONDS', 'must be longer than a provider may take to answer'])
  }
  if (isProduction) problems.push(...problemsOfProduction(env, config))
  for (const name of unknownNames(env)) problems.push([name, `no such setting; see docs/configuration.md`])
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** Settings for tests and local work, and the reason why production refuses them. */
const NOT_IN_PRODUCTION = {
  WARUNG_SIMULATOR_URL: 'production has no simulator',
  WARUNG_OUTBOUND_ALLOW: 'production connects to public, proven addresses alone',
  WARUNG_OUTBOUND_CA: 'production connects to public, proven addresses alone',
  WARUNG_FAILPOINT: 'production refuses to crash on purpose',
} as const

function problemsOfProduction(env: Env, { demo }: Config): SettingProblem[] {
  const refused = Object.entries(NOT_IN_PRODUCTION).filter(([name]) => present(env[name]))
  return demo === 'none' ? refused : [['WARUNG_DEMO', 'production has no demo'], ...refused]
}

/** Lists every setting with its value, secrets and passwords masked, for the start-up log and `warungd config`. */
export function describeConfig(config: Config): Record<string, string | number> {
  return {
    environment: config.environment,
    listen: `${config.host}:${config.port}`,
    processes: config.processes,
    worker_max_ms: config.workerMaxMs,
    public_url: config.publicUrl ?? '(from the listening address)',
    dashboard_url: config.dashboardUrl ?? '(from the listening address)',
    metrics: `${config.metricsHost}:${config.metricsPort ?? `(${METRICS_PORT}, or a free port)`}`,
    data_dir: config.dataDir,
    database: describeDatabase(config),
    database_read:
      config.database.kind === 'external' && config.database.readUrl !== undefined
        ? maskDatabaseUrl(config.database.readUrl)
        : '(none)',
    schema: config.schema ?? '(that of the connection)',
    ...describeGroups(config),
    database_connections_max: config.databaseConnectionsMax,
    database_statement_ms: config.statementMs,
    master_key:
      config.masterKey.kind === 'file'
        ? `file ${config.masterKey.path}`
        : `given, id ${config.masterKey.current.id}${config.masterKey.next ? `, next ${config.masterKey.next.id}` : ''}`,
    backup:
      config.backup.dir === undefined
        ? '(none)'
        : `${config.backup.dir}, alert after ${config.backup.ageMaxMs / HOUR_MS} hours`,
    demo: config.demo,
    trust_proxy: config.trustProxy.map(networkToString).join(', ') || 'none',
    rate_limit: `${config.rateLimit} requests per 5 minutes, then blocked for ${config.rateBlockMinutes} minutes`,
    rate_exempt: config.rateExempt.map(networkToString).join(', ') || '(none)',
    request_timeout_ms: config.requestTimeoutMs,
    requests_max: config.requestsMax,
    connections_max: `${config.connectionsMax}, ${config.connectionsPerAddressMax} of one address`,
    write_stall_seconds: config.writeStallMs / 1_000,
    wire: config.wire,
    drain_seconds: `${config.drainMs / 1_000}, answers ${config.drainAnswersMs / 1_000}`,
    log_level: config.logLevel,
    simulator: `${config.simulator.url === undefined ? 'in this process' : maskUrl(config.simulator.url)}, ${config.simulator.timeoutMs / 1_000} s`,
    dns_servers: config.outbound.nameServers?.join(', ') ?? "(the system's)",
    outbound_allow: config.outbound.allow.map(networkToString).join(', ') || '(none)',
    outbound_ca: config.outbound.authority?.path ?? '(none)',
    delivery_timeout_ms: config.deliveryTimeoutMs,
    issuer: config.issuer,
    security_contact: config.securityContact ?? '(the page about reports)',
    sender_addresses: config.senderAddresses.map(networkToString).join(', ') || '(not said)',
    retention_days: `feed ${config.retention.feedDays}, deliveries ${config.retention.deliveryDays}, attempts ${config.retention.attemptDays}`,
    operator_second_factor: config.operatorSecondFactor,
    resolve_alone: describeResolveAlone(config.resolveAlone),
    price_change_max_percent: config.priceChangeMaxPercent,
    cost_drift_percent: config.costDriftPercent,
    rate_age_days: config.rateAgeDays,
    quote_seconds: config.quoteSeconds,
    ...describeMail(config.mail, config.environment),
    alert_webhook: describeAlertWebhook(config.alertWebhook),
    traces: describeTraces(config.traces),
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

/** Variables of the integrators' command, clients and examples: a shell that has them can start a service too. */
const INTEGRATOR_NAMES: ReadonlySet<string> = new Set([
  ...['WARUNG_BASE_URL', 'WARUNG_API_KEY', 'WARUNG_SIGNING_SECRET', 'WARUNG_PROFILE', 'WARUNG_CONFIG_DIR'],
  ...['WARUNG_PORTAL_USERNAME', 'WARUNG_PORTAL_PASSWORD'],
])

/** Lists unknown settings: a misspelt one would otherwise be silently ignored. */
function unknownNames(env: Env): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('WARUNG_') && !name.startsWith('WARUNG_TEST_'))
    .filter((name) => !Object.hasOwn(SETTINGS, name) && !INTEGRATOR_NAMES.has(name))
    .sort()
}

const HOUR_MS = 3_600_000

function readBackup(read: ReadSetting): BackupConfig {
  const dir = read('WARUNG_BACKUP_DIR')
  return {
    dir: dir === undefined ? undefined : resolve(dir),
    ageMaxMs: HOUR_MS * read('WARUNG_BACKUP_MAX_AGE_HOURS'),
  }
}

/**
 * Reads the proxies that are trusted to tell the client's address. Production must name them: behind a proxy that is
 * not named, all clients count as one address, and one of them over the rate limit gets all of them blocked.
 */
function readTrustProxy(
  env: Env,
  read: ReadSetting,
  environment: Environment,
  problems: SettingProblem[],
): readonly Network[] {
  const proxies = read('WARUNG_TRUST_PROXY') ?? []
  if (!present(env.WARUNG_TRUST_PROXY) && environment === 'production') {
    problems.push([
      'WARUNG_TRUST_PROXY',
      'production needs the addresses of the proxy in front of it (such as 127.0.0.1, ::1), ' +
        'or none when clients connect to it directly',
    ])
  }
  return proxies
}

function readPublicUrl(
  read: ReadSetting,
  name: 'WARUNG_PUBLIC_URL' | 'WARUNG_DASHBOARD_URL',
  environment: Environment,
  problems: SettingProblem[],
): string | undefined {
  const known = problems.length
  const url = read(name)
  if (environment !== 'production' || problems.length > known) return url
  if (url === undefined) problems.push([name, `production needs the address clients use`])
  else if (new URL(url).protocol !== 'https:') problems.push([name, `must be https in production`])
  return url
}
