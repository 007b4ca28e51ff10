import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { add } from './profile-node.js'
import { stageOfStatement } from './profile-stages.js'

const FUNCTIONS = fileURLToPath(new URL('../packages/server/functions/', import.meta.url))
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
export async function openConnection(runtime) {
  const client = new pg.Client({ ...runtime.database.options.connection, application_name: OWN_NAME })
  await client.connect()
  return client
}

/** Prepares the scratch cluster; it must be restarted afterwards. */
export async function prepareCluster(client) {
  for (const [name, value] of Object.entries(PRELOADED)) await set(client, name, value)
}

/** Runs `work` with these settings of the server, then takes them back. */
export async function withSettings(client, settings, work) {
  for (const [name, value] of Object.entries(settings)) await set(client, name, value)
  await client.query('select pg_reload_conf()')
  try {
    return await work()
  } finally {
    for (const name of Object.keys(settings)) await client.query(`alter system reset ${name}`)
    // The setting that was replaced was one of ours.
    for (const name of Object.keys(settings)) if (name in PRELOADED) await set(client, name, PRELOADED[name])
    await client.query('select pg_reload_conf()')
  }
}

async function set(client, name, value) {
  await client.query(`alter system set ${name} = ${pg.escapeLiteral(value)}`)
}

// ── CPU by statement: the server's own accounts of each message ──

export const ACCOUNTS = { log_statement_stats: 'on' }
const PHASES = { 'PARSE MESSAGE STATISTICS': 'parse', 'BIND MESSAGE STATISTICS': 'bind' }
const USAGE = /([\d.]+) s user, ([\d.]+) s system, ([\d.]+) s elapsed/

/**
 * Reads what the server wrote about the statements of a round: the CPU of every message, from getrusage. Returns sums by
 * statement in microseconds.
 */
export async function readAccounts(client, fromMs) {
  const { rows } = await client.query(
    `select current_setting('data_directory') as data, current_setting('log_directory') as log`,
  )
  const dir = join(rows[0].data, rows[0].log)
  const statements = new Map()
  for (const file of readdirSync(dir).filter((name) => name.endsWith('.json'))) {
    for (const line of readFileSync(join(dir, file), 'utf8').split('\n')) {
      if (line.includes('STATISTICS')) addAccount(statements, JSON.parse(line), fromMs)
    }
  }
  return statements
}

function addAccount(statements, entry, fromMs) {
  const usage = USAGE.exec(entry.detail ?? '')
  if (usage === null || OWN_NAMES.includes(entry.application_name)) return
  if (Date.parse(entry.timestamp.replace(' UTC', 'Z').replace(' ', 'T')) < fromMs) return
  const label = labelOf(entry.statement ?? '')
  const [user, system, elapsed] = usage.slice(1).map((seconds) => Number(seconds) * 1e6)
  const sum = statements.get(label) ?? { bind: 0, execute: 0, elapsed: 0, calls: 0 }
  const phase = PHASES[entry.message] ?? 'execute'
  sum[phase === 'execute' ? 'execute' : 'bind'] += user + system
  sum.elapsed += elapsed
  if (phase === 'execute') sum.calls += 1
  statements.set(label, sum)
}

const OWN_FUNCTIONS = readFunctions()

/** Names a statement: our own function that it calls, or its first words. */
export function labelOf(text) {
  const called = callsIn(text)
  if (called.length > 0) return called[0]
  const flat = flatten(text)
  const summary = summaryOf(flat)
  return `${stageOfStatement(summary)}: ${summary}`
}

/** Returns the functions of ours that a function calls. */
export function callsOf(name) {
  return callsIn(OWN_FUNCTIONS.get(name) ?? '').filter((called) => called !== name)
}

function callsIn(text) {
  return [...text.matchAll(/\b(\w+)\s*\(/g)].map(([, name]) => name).filter((name) => OWN_FUNCTIONS.has(name))
}

function flatten(text) {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function readFunctions() {
  const functions = new Map()
  for (const entry of readdirSync(FUNCTIONS, { recursive: true }).filter((path) => path.endsWith('.sql'))) {
    const text = readFileSync(join(FUNCTIONS, entry), 'utf8')
    const name = /function\s+(\w+)\s*\(/i.exec(text)?.[1]
    if (name !== undefined) functions.set(name, flatten(text.replaceAll(/--[^\n]*/g, '')))
  }
  return functions
}

// ── Time by inner statement: pg_stat_statements and pg_stat_user_functions ──

export const INNER = { 'pg_stat_statements.track': 'all', track_functions: 'all' }

export async function resetInner(client) {
  await client.query('create extension if not exists pg_stat_statements')
  await client.query('select pg_stat_statements_reset(), pg_stat_reset()')
}

/**
 * Reads how the time of our SQL functions divides among the statements inside. Returns, for each function, the time of
 * its statements without that of the functions they call, and the rest: PL/pgSQL's own. This is time by the clock, waits
 * included; only the shares are used.
 */
export async function readInner(client) {
  const { rows: statements } = await client.query(
    `select query, sum(calls)::float8 as calls, sum(total_exec_time + total_plan_time)::float8 * 1000 as micros
       from pg_stat_statements where not toplevel and query !~* 'pg_stat' group by query`,
  )
  const { rows: functions } = await client.query(
    `select funcname as name, calls::float8, total_time * 1000 as total, self_time * 1000 as self
       from pg_stat_user_functions`,
  )
  const totals = new Map(functions.map(({ name, total }) => [name, total]))
  const inner = new Map()
  for (const { name, calls, total, self } of functions)
    inner.set(name, { calls, total, self, statements: new Map() })
  for (const { query, micros } of statements) {
    const owner = ownerOf(query)
    const own = inner.get(owner)
    if (own === undefined) continue
    const called = callsIn(query).filter((name) => name !== owner)
    const below = called.reduce((sum, name) => sum + (totals.get(name) ?? 0), 0)
    add(own.statements, summaryOf(query), Math.max(0, micros - below))
  }
  return inner
}

/** Finds the function that a statement was written in: the one whose text has the statement's longest beginning. */
export function ownerOf(query) {
  const flat = flatten(query)
    .replace(/^select/i, '')
    .split('$')[0]
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
function summaryOf(query) {
  const flat = flatten(query)
  const isLocking = LOCKING.test(flat)
  LOCKING.lastIndex = 0
  const plain = flat
    .replaceAll(LOCKING, '')
    .replaceAll(/do update/gi, '')
    .replaceAll(EXTRACTING, '')
  const writes = [...plain.matchAll(/\b(insert into|update|delete from)\s+(\w+)/gi)]
  if (writes.length > 0) {
    const [, verb, table] = writes[0]
    return `${verb.toLowerCase()} ${table}${writes.length > 1 ? ` and ${writes.length - 1} more` : ''}`
  }
  const tables = [...plain.matchAll(/\b(?:from|join)\s+(\w+)/gi)].map(([, table]) => table)
  const table = tables.find((name) => !NO_TABLES.has(name))
  if (table !== undefined) return `select from ${table}${isLocking ? ' for update' : ''}`
  return plain.length > 40 ? `${plain.slice(0, 39)}…` : plain
}
