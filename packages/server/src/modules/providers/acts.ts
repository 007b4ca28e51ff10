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

/** Locks providers and routes: what is read after it is what a change is made to. */
export function lockProviders(tx: Tx): Promise<void> {
  return lockSubject(tx, 'providers')
}

export type ConnectorWorld = Omit<Connections, 'database'>

/** Connects a supplier. A configuration with a mistake is not saved. */
export const addProvider = act({
  name: 'provider.add',
  input: whole<NewConnection>(),
  lock: lockProviders,
  async run(_tx, wanted, { database, world }: By<ConnectorWorld>) {
    const made = await addConnection({ ...world, database }, wanted)
    return {
      target: providerTarget(made),
      before: null,
      after: changedConnectionRow(undefined, made),
      result: made,
    }
  },
})

export const changeProvider = act({
  name: 'provider.update',
  input: whole<ConnectionChange & { readonly code: string }>(),
  lock: lockProviders,
  async run(
    _tx,
    { code, ...change },
    { database, world }: By<ConnectorWorld & { readonly countUnfinished: CountUnfinished }>,
  ) {
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
