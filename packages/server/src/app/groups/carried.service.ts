import type { CarriedState, Marks } from '../../db/carried.ts'
import {
  beginCarrying,
  followSource,
  markOf,
  noteCarried,
  noteTrouble,
  readCarried,
  readTable,
  stampVersion,
  withMember,
  writeTable,
} from '../../db/carried.ts'
import type { Database, Queryable, Tx } from '../../db/database.ts'
import { joined } from '../../db/joined.ts'
import { withLongStatements } from '../../db/long-statements.ts'
import type { Vault } from '../../db/vault.ts'
import { carryBase } from '../../modules/catalog/edit/carried.service.ts'
import type { CatalogState } from '../../modules/catalog/model/store.types.ts'
import { loadCatalog } from '../../modules/catalog/store/load.service.ts'
import { readBaseMark } from '../../modules/catalog/store/version.sql.ts'
import { announceNotices } from '../../modules/network/notices.sql.ts'
import {
  asNextVersion,
  listOtherAccounts,
  resealSecrets,
} from '../../modules/providers/connections/connections.service.ts'
import { countUnfinished } from '../unfinished.ts'
import { CARRIED } from './carried.rules.ts'

/** Group that is read, or one that is written to. */
export type CarryPlace = {
  readonly database: Database
  readonly vault: Vault
  /** Node's own view of the catalogue, used if it is of the present version. */
  readonly catalog?: (() => CatalogState) | undefined
}

type Side = CarryPlace & { readonly tx: Tx }
type Carry = (from: Side, to: Side) => Promise<void>

/** Tables that are carried together, because a change of one of them is a change of all. */
type Part = { readonly name: string; mark(connection: Queryable): Promise<string>; readonly carry: Carry }

const PARTS: readonly Part[] = [
  {
    name: 'catalog',
    mark: readBaseMark,
    carry: async (from, to) =>
      carryBase(await loadCatalog(from.tx, from.catalog?.()), joined(to.tx, to.database), to.catalog?.()),
  },
  tableOf('level_limits'),
  tableOf('number_plans'),
  tableOf('currency_rates'),
  {
    name: 'providers',
    mark: async (connection) =>
      [
        await markOf(connection, 'provider_connections'),
        await markOf(connection, 'provider_routes'),
        await markOf(connection, 'provider_packs'),
      ].join(' '),
    carry: carryProviders,
  },
  tableOf('network_notices', (tx) => announceNotices(tx)),
  tableOf('operators'),
]

function tableOf(name: string, announce: (tx: Tx) => Promise<void> = async () => {}): Part {
  return {
    name,
    mark: (connection) => markOf(connection, name),
    async carry(from, to) {
      await copy(name, from, to)
      await announce(to.tx)
    },
  }
}

async function copy(
  name: string,
  from: Side,
  to: Side,
  change = async (rows: string) => rows,
): Promise<void> {
  const { gone, instead } = CARRIED.find((table) => table.name === name) ?? {}
  if (gone === undefined) throw new Error(`the table ${name} is not carried row by row`)
  await writeTable(to.tx, name, await change(await readTable(from.tx, name, instead)), gone)
}

async function carryProviders(from: Side, to: Side): Promise<void> {
  await asNextVersion(to.tx, async () => {
    for (const code of await listOtherAccounts(from.tx, to.tx)) {
      const unfinished = await countUnfinished(to.tx, code)
      if (unfinished > 0) throw new UnfinishedAt(code, unfinished)
    }
    const byCode = await resealSecrets(
      { connection: from.tx, vault: from.vault },
      { connection: to.tx, vault: to.vault },
    )
    await copy('provider_connections', from, to, (rows) =>
      withMember(to.tx, rows, { name: 'sealed_secrets', byCode }),
    )
    await copy('provider_routes', from, to)
    await copy('provider_packs', from, to)
  })
}

/** Another account would be asked about these payments, and would answer that it does not know them. */
class UnfinishedAt extends Error {
  constructor(code: string, unfinished: number) {
    super(
      `${code} has ${unfinished} unfinished payment(s) or void(s) here, and leads to another account: they end first`,
    )
    this.name = 'UnfinishedAt'
  }
}

export async function readMarks(connection: Queryable): Promise<Marks> {
  const marks: Record<string, string> = {}
  for (const { name, mark } of PARTS) marks[name] = await mark(connection)
  return marks
}

export function isSameMarks(a: Marks, b: Marks): boolean {
  return PARTS.every(({ name }) => a[name] === b[name])
}

/** Version that a group has. In the first group, a content that no group has got yet is the next one. */
export async function readPresent(
  connection: Queryable,
): Promise<Pick<CarriedState, 'version' | 'marks' | 'trouble'>> {
  const { source, version, marks: noted, trouble } = await readCarried(connection)
  if (source !== null) return { version, marks: noted, trouble }
  const marks = await readMarks(connection)
  return { version: isSameMarks(marks, noted) ? version : version + 1n, marks, trouble: null }
}

/**
 * Brings one version of what is written in the first group to another one, in one commit: the group has the earlier
 * version or this one, whole. Only parts with another mark are read. undefined: another process is carrying.
 */
export async function carry(
  source: CarryPlace,
  group: CarryPlace,
  address: string,
): Promise<CarriedState | undefined> {
  const [first, target] = [withLongStatements(source.database), withLongStatements(group.database)]
  try {
    return await target.transaction(async (tx) => {
      if (!(await beginCarrying(tx))) return undefined
      await followSource(tx, address)
      const present = await readCarried(tx)
      await first.transaction(async (from) => {
        await from.query('set transaction isolation level repeatable read')
        const marks = await readMarks(from)
        const version = await stampVersion(from, marks)
        for (const part of PARTS) {
          if (present.marks[part.name] !== marks[part.name])
            await part.carry({ ...source, tx: from }, { ...group, tx })
        }
        await noteCarried(tx, { version, marks })
      })
      return readCarried(tx)
    })
  } catch (error) {
    await noteTrouble(group.database, error instanceof Error ? error.message : String(error)).catch(() => {})
    throw error
  }
}
