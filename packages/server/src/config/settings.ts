import { NAME_SERVER, NETWORK, PORT } from '../lib/addresses.ts'
import type { Rule } from '../lib/input/fields.ts'
import { BOOLEAN, describeRule, listed, oneOf, text, textRule, wholeNumber } from '../lib/input/fields.ts'
import { BASE_URL, WEB_URL } from '../lib/input/urls.ts'
import { MAIL_ADDRESS, SENDER } from '../lib/mail-addresses.ts'
import {
  ALERT_WEBHOOK,
  ALERT_WEBHOOK_SECRET,
  DATABASE_ADDRESS,
  FAILPOINT,
  MASTER_KEY,
  SCHEMA_NAME,
  SMTP_URL,
  TRACES_URL,
} from './fields.ts'

/** Declaration of one setting: the rule of its value, its default, and what the guide shows of it. */
export type Setting<T, D> = {
  readonly rule: Rule<T>
  readonly usual: D
  readonly usualText: string
  /** Markdown, with links from docs/. */
  readonly meaning: string
}

/** Declares a setting with a default. */
function setting<T extends string | number>(rule: Rule<T>, usual: T, meaning: string): Setting<T, T> {
  return { rule, usual, usualText: `\`${usual}\``, meaning }
}

/** Declares a setting that may be left out. `usualText` says what holds then. */
function optional<T>(rule: Rule<T>, usualText: string, meaning: string): Setting<T, undefined> {
  return { rule, usual: undefined, usualText, meaning }
}

export const ENVIRONMENTS = ['staging', 'production'] as const
export const DEMO_EXTENTS = ['all', 'accounts', 'none'] as const
export const SECOND_FACTOR_RULES = ['required', 'optional'] as const
export const WIRES = ['own', 'node'] as const
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const HOST = text(1, 253)
const PATH_LENGTH_MAX = 4_096
const PATH = textRule({
  message: `must be a path of at most ${PATH_LENGTH_MAX} characters`,
  schema: { maxLength: PATH_LENGTH_MAX },
  parse: (given) => (given.length <= PATH_LENGTH_MAX && !given.includes('\0') ? given : undefined),
})
const NETWORKS = listed(NETWORK, 1_000)
const PROXIES = textRule({
  message: `must be none, or ${describeRule(NETWORKS)}`,
  schema: {},
  parse: (given) => (given.trim().toLowerCase() === 'none' ? [] : NETWORKS.read(given)),
  messageAbout: (given) => NETWORKS.messageAbout?.(given) ?? NETWORKS.message,
})
const DAYS = wholeNumber(1, 3_650)
const RINGGIT = wholeNumber(0, 1_000_000_000)
const CONNECTIONS = wholeNumber(1, 1_000_000)

/** Port of the metrics where none is set. In production it never moves: Prometheus would read nothing. */
export const METRICS_PORT = 9_464

/** Every setting that the environment may have. The site draws the table of docs/configuration.md from it. */
export const SETTINGS = {
  WARUNG_ENV: setting(
    oneOf(ENVIRONMENTS),
    'staging',
    '`staging` seeds demo data on an empty database and explains failed signatures',
  ),
  WARUNG_HOST: setting(HOST, '127.0.0.1', 'address to listen on; `0.0.0.0` or `::` for all'),
  WARUNG_PORT: setting(PORT, 3_000, '`0` picks a free port'),
  WARUNG_PROCESSES: setting(
    wholeNumber(1, 64),
    1,
    'processes that answer requests on that port; as many as cores is a good number. Each is a node of its own, with its own database connections ([how many](guides/production.md#the-database)) and limits',
  ),
  WARUNG_PUBLIC_URL: optional(
    BASE_URL,
    'from the listening address',
    "the API's address as clients use it; needed, and https, in production",
  ),
  WARUNG_DASHBOARD_URL: optional(
    BASE_URL,
    'from the listening address',
    "the dashboard's address; needed, and https, in production",
  ),
  WARUNG_METRICS_HOST: setting(HOST, '127.0.0.1', 'Prometheus asks here, at `/metrics`'),
  WARUNG_METRICS_PORT: optional(
    PORT,
    '`9464`; in staging a free port when it is taken',
    'in production, and given explicitly, it must be free',
  ),
  WARUNG_DATA_DIR: optional(
    PATH,
    '`.warung` in the checkout, from wherever a command is called',
    'embedded database, master key, demo file, and `outcomes` ([why](guides/providers.md#answers-that-are-said-once)). Every node needs one that it can write to',
  ),
  DATABASE_URL: optional(
    DATABASE_ADDRESS,
    '(embedded server)',
    'an external PostgreSQL 15+; user and password percent-encoded (`/` as `%2F`, `#` as `%23`); production needs it, or `WARUNG_EMBEDDED=1`',
  ),
  DATABASE_READ_URL: optional(
    DATABASE_ADDRESS,
    '(none)',
    'a streaming standby of `DATABASE_URL` for lists, statements and files: [reads from a standby](guides/production.md#reads-from-a-standby)',
  ),
  WARUNG_SCHEMA: optional(
    SCHEMA_NAME,
    '(that of the connection)',
    'the schema that holds all tables and functions; a start makes it. Installations with different schemas share one database, and no lock, channel or row',
  ),
  WARUNG_GROUPS: optional(
    PATH,
    '(none)',
    'a JSON file of further groups of resellers that the same service serves ([record 37](adr/0037-a-group-is-a-schema.md#how-to-run-groups))',
  ),
  WARUNG_EMBEDDED: optional(BOOLEAN, '', '`1` or `true`: production on the embedded server is meant'),
  WARUNG_DATABASE_CONNECTIONS: setting(wholeNumber(4, 500), 16, 'connections of one node'),
  WARUNG_DATABASE_STATEMENT_SECONDS: setting(
    wholeNumber(1, 12),
    10,
    'how long the database may take for one statement of a request; then it is cancelled. Imports and checks have 15 minutes, migrations no limit',
  ),
  WARUNG_MASTER_KEY: optional(
    MASTER_KEY,
    'a generated file in the data directory',
    'random bytes (`openssl rand -base64 32`); needed in production and with `DATABASE_URL`',
  ),
  WARUNG_MASTER_KEY_NEXT: optional(MASTER_KEY, '', 'the key that `warungd master-key rotate` changes to'),
  WARUNG_BACKUP_DIR: optional(
    PATH,
    '(none)',
    'folder of [backups](guides/backups.md): the embedded server archives its log into it, and `warungd backup` copies to it; with `DATABASE_URL` the time of its file `finished` is that of the newest backup',
  ),
  WARUNG_BACKUP_MAX_AGE_HOURS: setting(
    wholeNumber(1, 10_000),
    26,
    'operators are alerted when the newest backup there is older',
  ),
  WARUNG_DEMO: optional(
    oneOf(DEMO_EXTENTS),
    '`all` in staging, `none` in production',
    'what staging seeds on an empty database: `all` (accounts, catalogue, a month of history), `accounts` alone, or `none`',
  ),
  WARUNG_TRUST_PROXY: optional(
    PROXIES,
    '(production must say)',
    'addresses or CIDRs of the proxies in front whose `X-Forwarded-For` is believed; `none`: clients connect directly. Behind a proxy that is not named, all clients count as one address (alert `untrusted_proxy`). Connections of trusted proxies are not capped',
  ),
  WARUNG_RATE_LIMIT: setting(
    wholeNumber(1, 1_000_000_000),
    30_000,
    'requests per 5 minutes and address; an IPv6 /64 is one address',
  ),
  WARUNG_RATE_BLOCK_MINUTES: setting(
    wholeNumber(1, 100_000),
    240,
    'how long an address that exceeded it is blocked',
  ),
  WARUNG_RATE_EXEMPT: optional(
    NETWORKS,
    '',
    'CIDRs whose requests, connections and health questions are not limited, such as suppliers that send many callbacks',
  ),
  WARUNG_REQUEST_TIMEOUT_SECONDS: setting(wholeNumber(1, 29), 29, 'how long a request may take; then 504'),
  WARUNG_REQUESTS_MAX: setting(
    wholeNumber(1, 100_000),
    1_000,
    'requests under way at once; more get 503 and `Retry-After`',
  ),
  WARUNG_CONNECTIONS_MAX: setting(
    CONNECTIONS,
    20_000,
    'open connections of one process. In the last twentieth a new one takes the place of the oldest idle one of the address that has most',
  ),
  WARUNG_CONNECTIONS_PER_ADDRESS: optional(
    CONNECTIONS,
    'a quarter of `WARUNG_CONNECTIONS_MAX`',
    'open connections of one address in one process; not for `WARUNG_RATE_EXEMPT` and `WARUNG_TRUST_PROXY`',
  ),
  WARUNG_WRITE_STALL_SECONDS: setting(
    wholeNumber(1, 600),
    60,
    'a connection whose reader takes nothing for so long is reset',
  ),
  WARUNG_WIRE: setting(
    oneOf(WIRES),
    'own',
    'reader of requests: `own` ([record 30](adr/0030-whole-requests-are-read-without-nodes-parser.md)), or `node`, at a sixth more CPU. Turn it to `node` first when requests seem to be read wrongly',
  ),
  WARUNG_DRAIN_SECONDS: optional(
    wholeNumber(0, 300),
    '`5` in production, `0` in staging',
    "a process that is told to stop answers 503 at `/readyz` and goes on serving for so long: longer than the balancer needs to notice. Raise the supervisor's time for a stop with it ([upgrades](guides/production.md#upgrades))",
  ),
  WARUNG_DRAIN_ANSWERS_SECONDS: setting(
    wholeNumber(0, 1_800),
    60,
    'after that, how long slow readers have to take answers; then the connection is reset. Raise the time for a stop with it',
  ),
  WARUNG_WORKER_SECONDS: setting(
    wholeNumber(1, 3_600),
    300,
    'time in which a process that replaces another one has to be ready, and in which a replaced one has to end ([reload](guides/production.md#upgrades))',
  ),
  WARUNG_LOG_LEVEL: setting(oneOf(LOG_LEVELS), 'info', 'the least serious lines that are logged'),
  WARUNG_PRICE_CHANGE_MAX_PERCENT: setting(
    wholeNumber(0, 1_000),
    20,
    'percent: a price or cost that moves by more needs a second person ([prices beside supplier costs](guides/back-office.md#prices-beside-supplier-costs)). `0`: every move',
  ),
  WARUNG_COST_DRIFT_PERCENT: setting(
    wholeNumber(0, 1_000),
    2,
    'percent: an alert is raised where what a supplier took for a product in a day is further from the cost of its route ([currencies](guides/currencies.md#costs))',
  ),
  WARUNG_RATE_AGE_DAYS: setting(
    wholeNumber(1, 366),
    7,
    'days after which an alert is raised that the rate of a currency in use was not set anew ([currencies](guides/currencies.md#rates))',
  ),
  WARUNG_QUOTE_SECONDS: setting(wholeNumber(1, 86_400), 300, 'seconds for which a quote holds its cost'),
  WARUNG_OPERATOR_SECOND_FACTOR: optional(
    oneOf(SECOND_FACTOR_RULES),
    '`required` in production, `optional` in staging',
    '`required`: an operator without a second factor or passkey signs in only to set one up',
  ),
  WARUNG_RESOLVE_ALONE_MAX: setting(
    RINGGIT,
    100,
    'ringgit: up to this cost one operator alone resolves a stuck payment or refunds a void. `0`: never',
  ),
  WARUNG_RESOLVE_ALONE_DAY_MAX: optional(
    RINGGIT,
    'five times `WARUNG_RESOLVE_ALONE_MAX`',
    'ringgit: the sum of such decisions over 24 hours, of one operator and for one reseller',
  ),
  WARUNG_RESOLVE_ALONE_WEEK_MAX: optional(RINGGIT, 'three times the limit of a day', 'the same over 7 days'),
  WARUNG_LEASE_SECONDS: setting(
    wholeNumber(2, 600),
    60,
    'how long a node that took a payment has it to itself. The same on all nodes; to change it, stop all of them',
  ),
  WARUNG_SIMULATOR_URL: optional(
    WEB_URL,
    '(in this process)',
    'staging: a simulator running as a server of its own (`warungd simulator`)',
  ),
  WARUNG_SIMULATOR_TIMEOUT_SECONDS: setting(
    wholeNumber(1, 60),
    10,
    'how long the simulated provider may take to answer',
  ),
  WARUNG_DNS_SERVERS: optional(
    listed(NAME_SERVER, 100),
    '(those in `/etc/resolv.conf`)',
    'name servers for suppliers, webhooks and mail: `9.9.9.9`, `127.0.0.1:5353`, `[::1]:53`; see [names](#names)',
  ),
  WARUNG_OUTBOUND_ALLOW: optional(
    NETWORKS,
    '',
    'local work: CIDRs that suppliers and webhooks may have although they are not on the open internet; production refuses it',
  ),
  WARUNG_OUTBOUND_CA: optional(
    PATH,
    '',
    'local work: a PEM file with an authority that is trusted beside the public ones; production refuses it',
  ),
  WARUNG_ISSUER: setting(
    text(1, 200),
    'Warung',
    'the company that runs the service, as month statements and authenticator apps name it',
  ),
  WARUNG_SECURITY_CONTACT: optional(
    MAIL_ADDRESS,
    '(the page about reports)',
    'mail address for reports of weaknesses, as `/.well-known/security.txt` names it',
  ),
  WARUNG_SENDER_ADDRESSES: optional(
    NETWORKS,
    '',
    'addresses that callbacks and webhooks come from, shown to resellers. It is for you to keep true',
  ),
  WARUNG_DELIVERY_TIMEOUT_SECONDS: setting(wholeNumber(1, 30), 30, 'time of one attempt to deliver an event'),
  WARUNG_FEED_DAYS: setting(DAYS, 30, 'days for which the event feed keeps an event'),
  WARUNG_DELIVERY_DAYS: setting(DAYS, 90, 'days for which the logs keep a finished delivery'),
  WARUNG_ATTEMPT_DAYS: setting(
    DAYS,
    90,
    "days for which a delivery keeps its attempts and the receiver's last answer",
  ),
  WARUNG_SMTP_URL: optional(
    SMTP_URL,
    '(none)',
    'the [mail](guides/mail.md) server; a password needs TLS unless the server is on this machine; user and password percent-encoded. Without it staging keeps mails in its mailbox, production keeps them waiting',
  ),
  WARUNG_MAIL_FROM: optional(SENDER, '', 'whom mails come from; needed with `WARUNG_SMTP_URL`'),
  WARUNG_ALERT_WEBHOOK: optional(
    ALERT_WEBHOOK,
    '(none)',
    'where every new [alert](alerts.md) is sent; no private address in production',
  ),
  WARUNG_ALERT_WEBHOOK_SECRET: optional(
    ALERT_WEBHOOK_SECRET,
    '(none)',
    'required with it: `echo whsec_$(openssl rand -base64 32)`',
  ),
  WARUNG_TRACES_URL: optional(
    TRACES_URL,
    '(none)',
    'collector of [traces](guides/observability.md#traces) that takes OTLP as JSON; private addresses are allowed',
  ),
  WARUNG_TRACES_ONE_IN: setting(wholeNumber(1, 1_000_000), 10, 'one of so many traces is kept'),
  WARUNG_TRACES_TO_SUPPLIERS: optional(BOOLEAN, '`false`', '`true`: orders carry the header `traceparent`'),
  WARUNG_FAILPOINT: optional(
    FAILPOINT,
    '',
    'tests of crashes: ends the process at a named place, or freezes it; production refuses it',
  ),
} as const satisfies Readonly<Record<string, Setting<unknown, unknown>>>

export type SettingName = keyof typeof SETTINGS

export type SettingValue<N extends SettingName> =
  (typeof SETTINGS)[N] extends Setting<infer T, infer D> ? T | D : never
