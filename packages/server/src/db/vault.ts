import { randomBytes } from 'node:crypto'
import type { MasterKey } from '../lib/secrets/sealing.ts'
import { openWith, sealWith } from '../lib/secrets/sealing.ts'
import type { Database, Queryable } from './database.ts'

/**
 * Encrypts values that must not be readable in the database. Each value is bound to its record by `context`
 * (`api_key:wk_…`), so that a ciphertext copied to another row does not open there.
 */
export type Vault = {
  seal(context: string, plaintext: Buffer): Buffer
  open(context: string, sealed: Buffer): Buffer
  /** Loads data keys that another process made since the last load. */
  refresh(): Promise<void>
}

export class UnknownDataKeyError extends Error {
  constructor(id: number) {
    super(`data key ${id} is not loaded`)
    this.name = 'UnknownDataKeyError'
  }
}

/** Reads sealed values, including those that another process sealed with a data key made a moment ago. */
export async function withFreshKeys<T>(vault: Pick<Vault, 'refresh'>, read: () => T): Promise<T> {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof UnknownDataKeyError)) throw error
    await vault.refresh()
    return read()
  }
}

type DataKeyRow = { id: number; wrapped: Buffer; master_key_id: string }

const FORMAT = 1
const HEADER_BYTES = 5
const DATA_KEY_BYTES = 32

/**
 * Opens the vault with any of the given master keys; the first one wraps new data keys. `reread` returns the current
 * keys, for a data key that another process wrapped with a master key added after the start.
 */
export async function openVault(
  database: Database,
  masterKeys: readonly MasterKey[],
  reread: () => Promise<readonly MasterKey[]> = async () => masterKeys,
): Promise<Vault> {
  const primary = masterKeys[0]
  if (primary === undefined) throw new Error('the vault needs a master key')
  const keys = new Map<number, Buffer>()
  let newest = 0

  async function refresh(): Promise<void> {
    let known = masterKeys
    for (const row of await listDataKeys(database)) {
      if (!keys.has(row.id)) {
        if (!known.some((key) => key.id === row.master_key_id)) known = await reread()
        keys.set(row.id, unwrap(row, known))
      }
      newest = row.id
    }
  }

  await refresh()
  if (keys.size === 0) {
    await insertFirstDataKey(database, primary)
    await refresh()
  }

  return {
    refresh,
    seal(context, plaintext) {
      const key = keys.get(newest)
      if (key === undefined) throw new UnknownDataKeyError(newest)
      const header = Buffer.alloc(HEADER_BYTES)
      header.writeUInt8(FORMAT, 0)
      header.writeUInt32BE(newest, 1)
      return Buffer.concat([header, sealWith(key, context, plaintext)])
    },
    open(context, sealed) {
      if (sealed.length < HEADER_BYTES || sealed.readUInt8(0) !== FORMAT) {
        throw new Error('not a sealed value of a known format')
      }
      const id = sealed.readUInt32BE(1)
      const key = keys.get(id)
      if (key === undefined) throw new UnknownDataKeyError(id)
      return openWith(key, context, sealed.subarray(HEADER_BYTES))
    },
  }
}

/** Wraps every data key with `next`, in one transaction. Returns how many were wrapped anew. */
export async function rewrapDataKeys(
  database: Database,
  current: readonly MasterKey[],
  next: MasterKey,
): Promise<number> {
  return database.transaction(async (tx) => {
    await tx.query('lock table data_keys in exclusive mode')
    let count = 0
    for (const row of await listDataKeys(tx)) {
      if (row.master_key_id === next.id) continue
      const wrapped = sealWith(next.bytes, wrapContext(next), unwrap(row, [...current, next]))
      await tx.query('update data_keys set wrapped = $2, master_key_id = $3 where id = $1', [
        row.id,
        wrapped,
        next.id,
      ])
      count += 1
    }
    return count
  })
}

/** Returns true when the database holds secrets that only an existing master key opens. */
export async function hasDataKeys(database: Database): Promise<boolean> {
  return (await listDataKeys(database)).length > 0
}

async function listDataKeys(connection: Queryable): Promise<DataKeyRow[]> {
  const { rows } = await connection.query<DataKeyRow>(
    'select id, wrapped, master_key_id from data_keys order by id',
  )
  return rows
}

async function insertFirstDataKey(database: Database, primary: MasterKey): Promise<void> {
  await database.transaction(async (tx) => {
    // Two processes may find an empty table at once: the lock lets the second find the first's key.
    await tx.query('lock table data_keys in exclusive mode')
    if ((await listDataKeys(tx)).length === 0) await addDataKey(tx, primary)
  })
}

/** Adds a data key that seals everything from now on; older ones still open what they sealed. */
export async function addDataKey(connection: Queryable, primary: MasterKey): Promise<number> {
  const wrapped = sealWith(primary.bytes, wrapContext(primary), randomBytes(DATA_KEY_BYTES))
  const { rows } = await connection.query<{ id: number }>(
    // The number is not the sequence's: on a node of Citus a sequence gives none that fits into the column.
    `with last as (select coalesce(max(id), 0) as id from data_keys)
     insert into data_keys (id, wrapped, master_key_id) overriding system value
     select id + 1, $1, $2 from last returning id`,
    [wrapped, primary.id],
  )
  return rows[0]?.id ?? 0
}

function unwrap(row: DataKeyRow, masterKeys: readonly MasterKey[]): Buffer {
  const master = masterKeys.find((candidate) => candidate.id === row.master_key_id)
  if (master === undefined) {
    throw new Error(
      `data key ${row.id} is wrapped by master key ${row.master_key_id}, and the configuration gives ` +
        `${masterKeys.map((key) => key.id).join(', ')}; set WARUNG_MASTER_KEY to the key this database was made with`,
    )
  }
  return openWith(master.bytes, wrapContext(master), row.wrapped)
}

function wrapContext(master: MasterKey): string {
  return `data_key:${master.id}`
}
