import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client } from 'pg'
import pg from 'pg'
import type { Runtime } from '../../../packages/server/dist/runtime.js'
import type { Sums } from './node.ts'
import { add } from './node.ts'
import { stageOfStatement } from './stages.ts'

const FUNCTIONS = fileURLToPath(new URL('../../../packages/server/functions/', import.meta.url))
const OWN_NAME = 'warung-bench'
/** Names of the connections that belong to the bench. */
export const OWN_NAMES = [OWN_NAME, 'warungd command']

/** Settings that take effect at a restart: the scratch cluster keeps them in postgresql.auto.conf. */
const PRELOADED = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'none',
  log_destination: 'jsonlog',
  log_rotation_size: '0',
}

/** Opens the bench's own connection. */
export async function openConnection(runtime: Runtime) {
  const client = new pg.Client({ ...runtime.database.options.connection, application_name: OWN_NAME })
  await client.connect()
  return client
}

/** Prepares the scratch cluster; it must be restarted afterwards. */
export async function prepareCluster(client: Client) {
  for (const [name, value] of Object.entries(PRELOADED)) await set(client, name, value)
}

/** Runs `work` with these settings of the server, then takes them back. */
export async function withSettings<T>(
  client: Client,
  settings: Record<string, string>,
  work: () => Promise<T>,
): Promise<T> {
  for (const [name, value] of Object.entries(settings)) await set(client, name, value)
  await client.query('select pg_reload_conf()')
  try {
    return await work()
  } finally {
    for (const name of Object.keys(settings)) await client.query(`alter system reset ${name}`)
    // The setting that was replaced was one of ours.
    for (const [name, value] of Object.entries(PRELOADED))
      if (name in settings) await set(client, name, value)
    await client.query('select pg_reload_conf()')
  }
}

async function set(client: Client, name: string, value: string) {
  await client.query(`alter system set ${name} = ${pg.escapeLiteral(value)}`)
}

// ── CPU by statement: the server's own accounts of each message ──

export const ACCOUNTS = { log_statement_stats: 'on' }
const PHASES: Record<string, string> = {
  'PARSE MESSAGE STATISTICS': 'parse',
  'BIND MESSAGE STATISTICS': 'bind',
}
/** CPU of a statement's messages in microseconds. */
export type Accounts = Map<string, { bind: number; execute: number }>

type LogEntry = {
  message: string
  timestamp: string
  detail?: string
  statement?: string
  application_name?: string
}

const USAGE = /([\d.]+) s user, ([\d.]+) s system, ([\d.]+) s elapsed/

/**
 * Reads what the server wrote about the statements of a round: the CPU of every message, from getrusage. Returns sums by
 * statement in microseconds.
 */
export async function readAccounts(client: Client, fromMs: number) {
  const { rows } = await client.query<{ data: string; log: string }>(
    `select current_setting('data_directory') as data, current_setting('log_directory') as log`,
  )
  const dir = join(rows[0]?.data ?? '', rows[0]?.log ?? '')
  const statements: Accounts = new Map()
  for (const file of readdirSync(dir).filter((name) => name.endsWith('.json'))) {
    for (const line of readFileSync(join(dir, file), 'utf8').split('\n')) {
      if (line.includes('STATISTICS')) addAccount(statements, JSON.parse(line) as LogEntry, fromMs)
    }
  }
  return statements
}

function addAccount(statements: Accounts, entry: LogEntry, fromMs: number) {
  const usage = USAGE.exec(entry.detail ?? '')
  if (usage === null || OWN_NAMES.includes(entry.application_name ?? '')) return
  if (Date.parse(entry.timestamp.replace(' UTC', 'Z').replace(' ', 'T')) < fromMs) return
  const label = labelOf(entry.statement ?? '')
  const [user = 0, system = 0] = usage.slice(1, 3).map((seconds) => Number(seconds) * 1e6)
  const sum = statements.get(label) ?? { bind: 0, execute: 0 }
  const phase = PHASES[entry.message] ?? 'execute'
  sum[phase === 'execute' ? 'execute' : 'bind'] += user + system
  statements.set(label, sum)
}

const OWN_FUNCTIONS = readFunctions()

/** Names a statement: our own function that it calls, or its first words. */
export function labelOf(text: string) {
  const called = callsIn(text)
  if (called[0] !== undefined) return called[0]
  const flat = flatten(text)
  const summary = summaryOf(flat)
  return `${stageOfStatement(summary)}: ${summary}`
}

/** Returns the functions of ours that a function calls. */
export function callsOf(name: string) {
  return callsIn(OWN_FUNCTIONS.get(name) ?? '').filter((called) => called !== name)
}

function callsIn(text: string) {
  return [...text.matchAll(/\b(\w+)\s*\(/g)]
    .map(([, name = '']) => name)
    .filter((name) => OWN_FUNCTIONS.has(name))
}

function flatten(text: string) {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function readFunctions() {
  const functions = new Map<string, string>()
  for (const entry of readdirSync(FUNCTIONS, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.sql'),
  )) {
    const text = readFileSync(join(FUNCTIONS, entry), 'utf8')
    const name = /function\s+(\w+)\s*\(/i.exec(text)?.[1]
    if (name !== undefined) functions.set(name, flatten(text.replaceAll(/--[^\n]*/g, '')))
  }
  return functions
}

// ── Time by inner statement: pg_stat_statements and pg_stat_user_functions ──

/** Time of our SQL functions, and of the statements inside, in microseconds. */
export type Inner = Map<string, { self: number; statements: Sums }>

export const INNER = { 'pg_stat_statements.track': 'all', track_functions: 'all' }

export async function resetInner(client: Client) {
  await client.query('create extension if not exists pg_stat_statements')
  await client.query('select pg_stat_statements_reset(), pg_stat_reset()')
}

/**
 * Reads how the time of our SQL functions divides among the statements inside. Returns, for each function, the time of
 * its statements without that of the functions they call, and the rest: PL/pgSQL's own. This is time by the clock, waits
 * included; only the shares are used.
 */
export async function readInner(client: Client) {
  const { rows: statements } = await client.query<{ query: string; micros: number }>(
    `select query, sum(total_exec_time + total_plan_time)::float8 * 1000 as micros
       from pg_stat_statements where not toplevel and query !~* 'pg_stat' group by query`,
  )
  const { rows: functions } = await client.query<{ name: string; total: number; self: number }>(
    `select funcname as name, total_time * 1000 as total, self_time * 1000 as self
       from pg_stat_user_functions`,
  )
  const totals = new Map(functions.map(({ name, total }) => [name, total]))
  const inner: Inner = new Map()
  for (const { name, self } of functions) inner.set(name, { self, statements: new Map() })
  for (const { query, micros } of statements) {
    const owner = ownerOf(query)
    const own = inner.get(owner ?? '')
    if (own === undefined) continue
    const called = callsIn(query).filter((name) => name !== owner)
    const below = called.reduce((sum, name) => sum + (totals.get(name) ?? 0), 0)
    add(own.statements, summaryOf(query), Math.max(0, micros - below))
  }
  return inner
}

/** Finds the function that a statement was written in: the one whose text has the statement's longest beginning. */
export function ownerOf(query: string) {
  const flat = flatten(query)
    .replace(/^select/i, '')
    .replace(/\$.*/, '')
    .slice(0, 80)
    .trim()
  for (let length = flat.length; length >= 20; length -= 5) {
    const start = flat.slice(0, length).toLowerCase()
    for (const [name, text] of OWN_FUNCTIONS) if (text.toLowerCase().includes(start)) return name
  }
  return undefined
}

const LOCKING = /\bfor (no key )?update( of \w+)?( skip locked)?/gi
/** `from` that names no table. */
const EXTRACTING = /\bextract\s*\(\s*\w+ from\b/gi
/** Words after `from` and `join` that are no tables. */
const NO_TABLES = new Set(['lateral', 'unnest', 'generate_series'])

/** Says what a statement does and to which table. A statement that writes several tables names the first. */
function summaryOf(query: string) {
  const flat = flatten(query)
  const isLocking = LOCKING.test(flat)
  LOCKING.lastIndex = 0
  const plain = flat
    .replaceAll(LOCKING, '')
    .replaceAll(/do update/gi, '')
    .replaceAll(EXTRACTING, '')
  const writes = [...plain.matchAll(/\b(insert into|update|delete from)\s+(\w+)/gi)]
  const [first] = writes
  if (first !== undefined) {
    const [, verb = '', table] = first
    return `${verb.toLowerCase()} ${table}${writes.length > 1 ? ` and ${writes.length - 1} more` : ''}`
  }
  const tables = [...plain.matchAll(/\b(?:from|join)\s+(\w+)/gi)].map(([, table = '']) => table)
  const table = tables.find((name) => !NO_TABLES.has(name))
  if (table !== undefined) return `select from ${table}${isLocking ? ' for update' : ''}`
  return plain.length > 40 ? `${plain.slice(0, 39)}…` : plain
}
