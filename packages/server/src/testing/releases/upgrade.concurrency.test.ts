import { randomBytes } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import type { Database } from '../../db/database.ts'
import { openDatabase } from '../../db/database.ts'
import { readFunctions } from '../../db/functions.ts'
import type { Migration } from '../../db/migrate.ts'
import { migrate, readMigrations } from '../../db/migrate.ts'
import type { MasterKey } from '../../lib/secrets/sealing.ts'
import { parseMasterKey } from '../../lib/secrets/sealing.ts'
import { verifyAudit } from '../../modules/audit/verify.service.ts'
import { listDriftedCounts as listDrifted } from '../../modules/payments/limits/service.ts'
import { verifyLedger } from '../../modules/wallet/ledger/audit.service.ts'
import { chainEntries } from '../../modules/wallet/ledger/chain.jobs.ts'
import { onServer } from '../cluster.ts'
import { openTestDatabase } from '../database.ts'
import type { PaymentsBench } from '../payments/payments.ts'
import { expectSoundMoney, openPaymentsBench, payWith, until } from '../payments/payments.ts'
import { makeData } from './data.ts'
import type { OlderNode } from './older-node.ts'
import { startOlderNode } from './older-node.ts'
import type { Release } from './snapshot.ts'
import { dumpSequences, dumpTables, loadData, packRelease, readRelease, releaseFile } from './snapshot.ts'

// Upgrades: the data of every release goes through all later migrations, while a node of that release goes on writing.

const VERSIONS = (await readdir(dirname(releaseFile('any'))))
  .map((name) => /^(.+)\.json\.gz$/.exec(name)?.[1])
  .filter((version) => version !== undefined)

/** Makes a database as a release left it; returns its name, for clones. */
async function restore(release: Release): Promise<string> {
  const { template, ...server } = inject('cluster')
  const name = `${template}_${randomBytes(4).toString('hex')}`
  await onServer(server, (client) => client.query(`create database ${name} template template0`))
  const database = openDatabase({
    connection: { ...server, database: name },
    connectionsMax: 2,
    applicationName: 'release',
    statementMs: 120_000,
  })
  try {
    const known = (await readMigrations()).slice(0, release.migrations.length)
    await migrate(database, known, release.functions)
    await loadData(database, release)
  } finally {
    await database.close()
  }
  return name
}

async function openRestored(name: string, release: Release): Promise<PaymentsBench> {
  const masterKey = parseMasterKey(release.masterKey) as MasterKey
  return openPaymentsBench(await openTestDatabase({ template: name, masterKey }))
}

async function describePresent(bench: PaymentsBench, version: string): Promise<Release> {
  const acts = await makeData(bench)
  return {
    version,
    masterKey: bench.masterKey.bytes.toString('base64'),
    migrations: (await readMigrations()).map(({ number, name, checksum }) => ({ number, name, checksum })),
    functions: await readFunctions(),
    tables: await dumpTables(bench.database),
    sequences: await dumpSequences(bench.database),
    acts,
  }
}

it('the present version can be kept as a release: its data is restored row by row', async () => {
  const bench = await openPaymentsBench()
  try {
    const version = process.env.WARUNG_KEEP_RELEASE ?? ''
    const release = await describePresent(bench, version)
    const restored = await openRestored(await restore(release), release)
    try {
      expect(await dumpTables(restored.database)).toEqual(release.tables)
      expect(await dumpSequences(restored.database)).toEqual(release.sequences)
    } finally {
      await restored.close()
    }
    if (version === '') return
    await mkdir(dirname(releaseFile(version)), { recursive: true })
    await writeFile(releaseFile(version), packRelease(release), { flag: 'wx' })
  } finally {
    await bench.close()
  }
})

describe.each(VERSIONS)('release %s', (version) => {
  let release: Release
  let name: string

  beforeAll(async () => {
    release = await readRelease(version)
    name = await restore(release)
  })

  it('its migrations are those of today: none was edited, renamed or removed', async () => {
    const present = (await readMigrations()).map(({ number, name, checksum }) => ({ number, name, checksum }))
    expect(present.slice(0, release.migrations.length)).toEqual(release.migrations)
  })

  it('its data and its nodes live through every later migration, beside nodes of today', async () => {
    const bench = await openRestored(name, release)
    try {
      const before = await describeData(bench.database)
      const ended = await describeEnded(bench.database, before.lastId)
      const { older, paid } = await upgrade(bench, release)
      expect(older.errors).toEqual([])
      expect(older.delivered).toBeGreaterThan(0)
      const after = await describeData(bench.database)
      expect(after.payments).toBe(before.payments + older.taken + paid)
      expect(after.refunds).toBe(before.refunds + older.refunded)
      expect(await describeEnded(bench.database, before.lastId)).toEqual(ended)
      await expectSoundMoney(bench.database)
      await chainEntries(bench)
      expect((await verifyLedger({ ...bench, listDrifted })).breaks).toEqual([])
      const audit = await verifyAudit(bench)
      expect(audit.broken).toBeUndefined()
      expect(Number(audit.recordCount)).toBeGreaterThanOrEqual(before.audit)
    } finally {
      await bench.close()
    }
  })

  it.each([
    ['a column that old nodes write is renamed', 'alter table payment_changes rename column detail to words'],
    [
      'a new check refuses values that old nodes write',
      'alter table payments add constraint payments_checked check (refid not like $$OLD-%$$) not valid',
    ],
    [
      'a new column must be given by every writer',
      'alter table payments add column ward text not null default $$$$; alter table payments alter column ward drop default',
    ],
  ])('a later migration is refused by this test when %s', async (_, text) => {
    const bench = await openRestored(name, release)
    try {
      const { older } = await upgrade(bench, release, [text])
      expect(older.errors.length).toBeGreaterThan(0)
    } finally {
      await bench.close()
    }
  })
})

const ROUNDS = 3

/** Upgrades a database to today's schema, and to `later` ones, while nodes of both versions work. */
async function upgrade(
  bench: PaymentsBench,
  release: Release,
  later: readonly string[] = [],
): Promise<{ older: OlderNode; paid: number }> {
  const older = startOlderNode(bench.openAnother(), release)
  try {
    await untilRounds(older, ROUNDS)
    await migrate(bench.openAnother(), [...(await readMigrations()), ...(await migrationsOf(later))])
    if (later.length > 0) {
      // The older node gives up after some errors, so its rounds cannot be waited for.
      await until('the older node met the change', () => older.errors.length > 0)
      return { older, paid: 0 }
    }
    await untilRounds(older, older.rounds + ROUNDS)
    const paid = await payToday(bench)
    await untilRounds(older, older.rounds + ROUNDS)
    return { older, paid }
  } finally {
    await older.stop()
  }
}

async function migrationsOf(texts: readonly string[]): Promise<Migration[]> {
  const { length } = await readMigrations()
  return texts.map((text, index) => ({
    number: length + index + 1,
    name: 'a_test',
    text,
    checksum: `of ${text}`,
  }))
}

function untilRounds(older: OlderNode, rounds: number): Promise<true> {
  return until(`the older node has finished ${rounds} rounds`, () => older.rounds >= rounds)
}

/** Pays and ends payments with today's code; returns how many. */
async function payToday(bench: PaymentsBench): Promise<number> {
  const node = bench.openNode()
  const { rows } = await bench.database.query<{ id: bigint }>(
    'select reseller_id as id from wallets order by 1',
  )
  for (const { id: reseller } of rows) {
    const { resellerId, id } = await payWith(node, reseller)
    const output = { serialNumber: 'SN3', pin: '99', expiry: '', voucherLink: '', note: '' }
    await node.resolver.submit({
      resellerId,
      id,
      attempt: 1,
      outcome: { kind: 'succeeded', output },
      nextMs: 0,
    })
  }
  return rows.length
}

type Described = { payments: number; refunds: number; audit: number; lastId: bigint }

async function describeData(database: Database): Promise<Described> {
  const { rows } = await database.query<Described>(
    `select (select count(*)::integer from payments) as payments,
            (select count(*)::integer from transfers where kind = 'refund') as refunds,
            (select count(*)::integer from audit_log) as audit,
            (select max(id) from payments) as "lastId"`,
  )
  return rows[0] as Described
}

/** Describes the payments of the release that had ended: they are the same after the upgrade. */
async function describeEnded(database: Database, lastId: bigint): Promise<object[]> {
  const { rows } = await database.query(
    `select reseller_id, id, refid, code, cost, balance_after, serial_number, sealed_output from payments
      where id <= $1 and code not in (0, 1) order by reseller_id, id`,
    [lastId],
  )
  return rows
}
