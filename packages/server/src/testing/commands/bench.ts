import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { main } from '../../cli/main.ts'
import type { Env } from '../../config.ts'
import { formatDay } from '../../lib/dates.ts'
import { findResellerWithId } from '../../modules/accounts/public.sql.ts'
import { countRefusals } from '../../modules/providers/health/refusals.sql.ts'
import type { CasesBench } from '../cases.ts'
import { callerOf, numberOf, openCasesBench, openVoid, requestFor } from '../cases.ts'
import { seedBase } from '../catalog/catalog-store.ts'
import { newPin } from '../providers/stock.ts'

/** `warungd` in this process beside a service that has a catalogue and a reseller. */
export type CommandBench = CasesBench & {
  readonly env: Env
  readonly account: string
  readonly resellerId: bigint
  /** Runs a command that must succeed, and returns its document. */
  warungd(...args: readonly string[]): Promise<Record<string, unknown>>
  /** Words that name the reseller, with more behind them. */
  of(...more: readonly string[]): string[]
  /** Makes a new name that begins with the word. */
  fresh(word: string): string
  written(name: string, content: string): Promise<string>
}

export async function openCommandBench(): Promise<CommandBench> {
  const bench = await openCasesBench()
  const folder = await mkdtemp(join(tmpdir(), 'warung-commands-'))
  const env = {
    DATABASE_URL: bench.url,
    WARUNG_MASTER_KEY: bench.masterKey.bytes.toString('base64'),
    WARUNG_DATA_DIR: folder,
  }
  await seedBase(bench.database)
  const resellerId = await bench.newReseller(100_000_000n)
  const account = (await findResellerWithId(bench.database, resellerId))?.account ?? ''
  let made = 0
  return {
    ...bench,
    env,
    account,
    resellerId,
    async warungd(...args) {
      let [out, err] = ['', '']
      const io = {
        out: (text: string) => {
          out += text
        },
        err: (text: string) => {
          err += text
        },
        readInput: async () => '',
      }
      expect(await main([...args, '--json'], io, env), `${args.join(' ')}\n${out}${err}`).toBe(0)
      return JSON.parse(out)
    },
    of: (...more) => ['--reseller', account, ...more],
    fresh(word) {
      made += 1
      return `${word}${made}`
    },
    async written(name, content) {
      const path = join(folder, name)
      await writeFile(path, content)
      return path
    },
    async close() {
      await bench.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export async function newProvider(c: CommandBench, ...more: string[]): Promise<string> {
  const code = c.fresh('shelf')
  await c.warungd('provider', 'add', '--code', code, '--kind', 'stock', ...more)
  return code
}

/** Connects a supplier by a pack. */
export async function newPacked(c: CommandBench): Promise<string> {
  const code = c.fresh('packed')
  const secrets = await c.written('pack.json', '{"api_key":"x","callback":"x"}')
  await c.warungd('provider', 'add', '--pack', 'zendit', '--code', code, '--secrets-file', secrets)
  return code
}

/** Prepares what the command needs, and returns the words after its name. */
export type Prepare = (c: CommandBench) => Promise<readonly string[]> | readonly string[]

/** Action of the command's line in the audit log, the words, and the states before and after that the line holds. */
export type Change = readonly [action: string, words: Prepare, before: unknown, after: unknown]

/** Makes a connection with a word that its tables do not know. */
export async function newWord(c: CommandBench): Promise<string[]> {
  const code = await newPacked(c)
  const { rows } = await c.database.query<{ id: bigint }>(
    `insert into provider_unknown_answers (provider, operation, path, value, count, first_at, last_at, sample)
     values ($1, 'query', 'status', 'ODD', 1, now(), now(), '{}') returning id`,
    [code],
  )
  return ['--provider', code, '--id', String(rows[0]?.id)]
}

/** A provider that refused an order. */
export async function newRefusal(c: CommandBench): Promise<string[]> {
  const code = await newPacked(c)
  await countRefusals(c.database, [
    { provider: code, outcome: 'failed', word: 'NUMBER_UNKNOWN', code: 52, count: 1 },
  ])
  return ['--provider', code]
}

export async function newRoute(c: CommandBench): Promise<string[]> {
  const place = ['--product', 'NOVA', '--provider', await newProvider(c)]
  await c.warungd('route', 'set', ...place)
  return place
}

export async function newUser(c: CommandBench): Promise<string[]> {
  const username = c.fresh('user')
  await c.warungd('user', 'create', ...c.of('--username', username, '--role', 'viewer'))
  return c.of('--username', username)
}

export async function newOperator(c: CommandBench): Promise<string[]> {
  const email = ['--email', `${c.fresh('operator')}@example.com`]
  await c.warungd('operator', 'create', ...email, '--name', 'New', '--role', 'support')
  return email
}

export async function newKey(c: CommandBench): Promise<string[]> {
  const { key } = await c.warungd('key', 'create', ...c.of())
  return c.of('--key', String(key))
}

/** Gives the person, whom the last word names, a second factor. */
export async function withFactor(
  c: CommandBench,
  kind: 'member' | 'operator',
  person: string[],
): Promise<string[]> {
  await c.database.query(
    kind === 'operator'
      ? `insert into second_factors (kind, reseller_id, person_id, sealed_secret, confirmed_at)
         select 'operator', 0, id, 'sealed', now() from operators where email = $1`
      : `insert into second_factors (kind, reseller_id, person_id, sealed_secret, confirmed_at)
         select 'member', reseller_id, id, 'sealed', now() from users where username = $1`,
    [person.at(-1)],
  )
  return person
}

export async function openCase(c: CommandBench, kind: 'dispute' | 'void'): Promise<string[]> {
  const payment = await c.succeed(c.resellerId)
  const cases = c.casesAt('staging')
  const number =
    kind === 'void'
      ? await openVoid(cases, payment)
      : numberOf(await cases.open(kind, callerOf(c.resellerId), requestFor(kind, payment)))
  return ['--number', number]
}

export async function loadPins(c: CommandBench): Promise<string[]> {
  const file = await c.written(`${c.fresh('pins')}.csv`, `pin,expiry\n${newPin()},20991231\n`)
  return ['--product', 'NOVA', '--denomination', '10', '--file', file]
}

const MAPPING = {
  reference: { column: 'ref' },
  amount: { column: 'sum' },
  state: { column: 'state', values: { OK: 'succeeded' } },
}

export async function settlementFile(c: CommandBench): Promise<string[]> {
  const name = c.fresh('settled')
  const file = await c.written(`${name}.csv`, `ref,sum,state\n${name}-1,3,OK\n`)
  const mapping = await c.written(`${name}.json`, JSON.stringify(MAPPING))
  return ['--provider', 'simulator', '--file', file, '--mapping', mapping, '--day', formatDay(20_000)]
}

export async function importedFile(c: CommandBench): Promise<string[]> {
  const { file } = await c.warungd('settlement', 'import', ...(await settlementFile(c)))
  return ['--file', String(file)]
}

/** Returns the id of a new alert. */
export async function raiseAlert({ database }: CommandBench): Promise<string> {
  const { rows } = await database.query<{ id: string }>(
    `insert into operator_alerts (kind, subject, text, severity, raised_at, last_seen_at, times)
     values ('float_low', 'TESTER', 'low', 'warning', now(), now(), 1) returning id::text as id`,
  )
  return rows[0]?.id ?? ''
}

export async function blockAddress({ database }: CommandBench, address: string): Promise<string> {
  await database.query(
    `insert into address_blocks (address, blocked_at, blocked_until, requests)
     values ($1, now(), now() + interval '1 hour', 30001)`,
    [address],
  )
  return address
}
