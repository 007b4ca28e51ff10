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
  SMTP_URL,
  TRACES_URL,
} from './fields.ts'

/** Declaration of one setting: the rule of its value, its default, and the default as the guide shows it. */
export type Setting<T, D> = { readonly rule: Rule<T>; readonly usual: D; readonly usualText: string }

/** Declares a setting with a default. */
function setting<T extends string | number>(rule: Rule<T>, usual: T): Setting<T, T> {
  return { rule, usual, usualText: `\`${usual}\`` }
}

/** Declares a setting that may be left out. `usualText` says what holds then. */
function optional<T>(rule: Rule<T>, usualText = ''): Setting<T, undefined> {
  return { rule, usual: undefined, usualText }
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

/** Every setting that the environment may have. The tables of docs/configuration.md are checked against it. */
export const SETTINGS = {
  WARUNG_ENV: setting(oneOf(ENVIRONMENTS), 'staging'),
  WARUNG_HOST: setting(HOST, '127.0.0.1'),
  WARUNG_PORT: setting(PORT, 3_000),
  WARUNG_PROCESSES: setting(wholeNumber(1, 64), 1),
  WARUNG_PUBLIC_URL: optional(BASE_URL, 'from the listening address'),
  WARUNG_DASHBOARD_URL: optional(BASE_URL, 'from the listening address'),
  WARUNG_METRICS_HOST: setting(HOST, '127.0.0.1'),
  WARUNG_METRICS_PORT: optional(PORT, '`9464`; in staging a free port when it is taken'),
  WARUNG_DATA_DIR: optional(PATH, '`.warung` in the checkout, from wherever a command is called'),
  DATABASE_URL: optional(DATABASE_ADDRESS, '(embedded server)'),
  DATABASE_READ_URL: optional(DATABASE_ADDRESS, '(none)'),
  WARUNG_EMBEDDED: optional(BOOLEAN),
  WARUNG_DATABASE_CONNECTIONS: setting(wholeNumber(4, 500), 16),
  WARUNG_DATABASE_STATEMENT_SECONDS: setting(wholeNumber(1, 12), 10),
  WARUNG_MASTER_KEY: optional(MASTER_KEY, 'a generated file in the data directory'),
  WARUNG_MASTER_KEY_NEXT: optional(MASTER_KEY),
  WARUNG_BACKUP_DIR: optional(PATH, '(none)'),
  WARUNG_BACKUP_MAX_AGE_HOURS: setting(wholeNumber(1, 10_000), 26),
  WARUNG_DEMO: optional(oneOf(DEMO_EXTENTS), '`all` in staging, `none` in production'),
  WARUNG_TRUST_PROXY: optional(PROXIES, '(production must say)'),
  WARUNG_RATE_LIMIT: setting(wholeNumber(1, 1_000_000_000), 30_000),
  WARUNG_RATE_BLOCK_MINUTES: setting(wholeNumber(1, 100_000), 240),
  WARUNG_RATE_EXEMPT: optional(NETWORKS),
  WARUNG_REQUEST_TIMEOUT_SECONDS: setting(wholeNumber(1, 29), 29),
  WARUNG_REQUESTS_MAX: setting(wholeNumber(1, 100_000), 1_000),
  WARUNG_CONNECTIONS_MAX: setting(CONNECTIONS, 20_000),
  WARUNG_CONNECTIONS_PER_ADDRESS: optional(CONNECTIONS, 'a quarter of `WARUNG_CONNECTIONS_MAX`'),
  WARUNG_WRITE_STALL_SECONDS: setting(wholeNumber(1, 600), 60),
  WARUNG_WIRE: setting(oneOf(WIRES), 'own'),
  WARUNG_DRAIN_SECONDS: optional(wholeNumber(0, 300), '`5` in production, `0` in staging'),
  WARUNG_DRAIN_ANSWERS_SECONDS: setting(wholeNumber(0, 1_800), 60),
  WARUNG_WORKER_SECONDS: setting(wholeNumber(1, 3_600), 300),
  WARUNG_LOG_LEVEL: setting(oneOf(LOG_LEVELS), 'info'),
  WARUNG_PRICE_CHANGE_MAX_PERCENT: setting(wholeNumber(0, 1_000), 20),
  WARUNG_COST_DRIFT_PERCENT: setting(wholeNumber(0, 1_000), 2),
  WARUNG_RATE_AGE_DAYS: setting(wholeNumber(1, 366), 7),
  WARUNG_QUOTE_SECONDS: setting(wholeNumber(1, 86_400), 300),
  WARUNG_OPERATOR_SECOND_FACTOR: optional(
    oneOf(SECOND_FACTOR_RULES),
    '`required` in production, `optional` in staging',
  ),
  WARUNG_RESOLVE_ALONE_MAX: setting(RINGGIT, 100),
  WARUNG_RESOLVE_ALONE_DAY_MAX: optional(RINGGIT, 'five times `WARUNG_RESOLVE_ALONE_MAX`'),
  WARUNG_RESOLVE_ALONE_WEEK_MAX: optional(RINGGIT, 'three times the limit of a day'),
  WARUNG_LEASE_SECONDS: setting(wholeNumber(2, 600), 60),
  WARUNG_SIMULATOR_URL: optional(WEB_URL, '(in this process)'),
  WARUNG_SIMULATOR_TIMEOUT_SECONDS: setting(wholeNumber(1, 60), 10),
  WARUNG_DNS_SERVERS: optional(listed(NAME_SERVER, 100), '(those in `/etc/resolv.conf`)'),
  WARUNG_OUTBOUND_ALLOW: optional(NETWORKS),
  WARUNG_OUTBOUND_CA: optional(PATH),
  WARUNG_ISSUER: setting(text(1, 200), 'Warung'),
  WARUNG_SECURITY_CONTACT: optional(MAIL_ADDRESS, '(the page about reports)'),
  WARUNG_SENDER_ADDRESSES: optional(NETWORKS),
  WARUNG_DELIVERY_TIMEOUT_SECONDS: setting(wholeNumber(1, 30), 30),
  WARUNG_FEED_DAYS: setting(DAYS, 30),
  WARUNG_DELIVERY_DAYS: setting(DAYS, 90),
  WARUNG_ATTEMPT_DAYS: setting(DAYS, 90),
  WARUNG_SMTP_URL: optional(SMTP_URL, '(none)'),
  WARUNG_MAIL_FROM: optional(SENDER),
  WARUNG_ALERT_WEBHOOK: optional(ALERT_WEBHOOK, '(none)'),
  WARUNG_ALERT_WEBHOOK_SECRET: optional(ALERT_WEBHOOK_SECRET, '(none)'),
  WARUNG_TRACES_URL: optional(TRACES_URL, '(none)'),
  WARUNG_TRACES_ONE_IN: setting(wholeNumber(1, 1_000_000), 10),
  WARUNG_TRACES_TO_SUPPLIERS: optional(BOOLEAN, '`false`'),
  WARUNG_FAILPOINT: optional(FAILPOINT),
} as const satisfies Readonly<Record<string, Setting<unknown, unknown>>>

export type SettingName = keyof typeof SETTINGS

export type SettingValue<N extends SettingName> =
  (typeof SETTINGS)[N] extends Setting<infer T, infer D> ? T | D : never
