import type { Tx } from '../../db/database.ts'
import { whole } from '../../http/codec.ts'
import { lockSubject } from '../acts/public.sql.ts'
import { act } from '../acts/service.ts'
import type { By } from '../acts/types.ts'
import type {
  ConnectionChange,
  Connections,
  CountUnfinished,
  NewConnection,
} from './connections/connections.service.ts'
import { addConnection, changeConnection, getConnection } from './connections/connections.service.ts'
import { changedConnectionRow, connectionRow } from './connections/operators.service.ts'
import { noteChange } from './connections/prepared.service.ts'
import { PACKED_INPUT } from './packs/codec.ts'
import { getPack } from './packs/library.service.ts'
import { makeConfig, rememberPack } from './packs/packs.service.ts'
import type { Settings } from './packs/types.ts'

/** Locks providers and routes: what is read after it is what a change is made to. */
export function lockProviders(tx: Tx): Promise<void> {
  return lockSubject(tx, 'providers')
}

export type ConnectorWorld = Omit<Connections, 'database'>
export type ChangeWorld = ConnectorWorld & { readonly countUnfinished: CountUnfinished }

/** Connection to make of a pack. */
export type PackedConnection = Omit<NewConnection, 'kind' | 'config'> & {
  readonly pack: string
  readonly settings: Settings
  readonly products?: unknown
}

/** Connects a supplier. A configuration with a mistake is not saved. */
export const addProvider = act({
  name: 'provider.add',
  input: whole<NewConnection | PackedConnection>(),
  lock: lockProviders,
  run: (tx, wanted, by: By<ConnectorWorld>) => connect(tx, wanted, by),
})

/** Connects a supplier by its pack. One operator alone prepares it: it takes orders once a second one enabled it. */
export const addPackedProvider = act({
  name: 'provider.add',
  input: PACKED_INPUT,
  lock: lockProviders,
  async run(tx, { name, settings = {}, ...wanted }, by: By<ConnectorWorld>) {
    const { manifest } = await getPack(wanted.pack)
    const isEnabled = by.consent.kind !== 'alone'
    const done = await connect(tx, { ...wanted, name: name ?? manifest.name, settings, isEnabled }, by)
    await noteChange(tx, wanted.code, by)
    return done
  },
})

async function connect(
  tx: Tx,
  wanted: NewConnection | PackedConnection,
  { database, world }: By<ConnectorWorld>,
) {
  const of = 'pack' in wanted ? await makeConfig(wanted) : undefined
  const given = 'pack' in wanted ? { ...wanted, kind: 'http', config: of?.config } : wanted
  const made = await addConnection({ ...world, database }, given)
  if (of !== undefined) await rememberPack(tx, made.code, of.pack)
  const pack = of && { pack: of.pack.pack, pack_version: of.pack.version }
  return {
    target: providerTarget(made),
    before: null,
    after: { ...changedConnectionRow(undefined, made), ...pack },
    result: made,
  }
}

export const changeProvider = act({
  name: 'provider.update',
  input: whole<ConnectionChange & { readonly code: string }>(),
  lock: lockProviders,
  async run(_tx, { code, ...change }, { database, world }: By<ChangeWorld>) {
    const before = await getConnection(database, code)
    const made = await changeConnection({ ...world, database }, code, change)
    return {
      target: providerTarget(made),
      before: connectionRow(before),
      after: changedConnectionRow(before, made),
      result: made,
    }
  },
})

export function providerTarget({ code }: { readonly code: string }) {
  return { kind: 'provider', id: code }
}
