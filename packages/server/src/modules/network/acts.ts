import type { Environment } from '../../config.ts'
import type { Database } from '../../db/database.ts'
import { act } from '../acts/service.ts'
import type { By } from '../acts/types.ts'
import type { Catalog } from '../catalog/model/store.types.ts'
import { listConnections } from '../providers/connections/connections.service.ts'
import { SIMULATOR_CODE } from '../providers/simulator/service.ts'
import { NOTICE_INPUT, NOTICE_KEY } from './notices.codec.ts'
import { addNotice, endNotice } from './notices.service.ts'
import type { Notice } from './types.ts'

export type NoticeWorld = {
  readonly catalog: Pick<Catalog, 'state'>
  readonly environment: Environment
}

const AUTHOR_LENGTH_MAX = 100

export const createNotice = act({
  name: 'notice.create',
  input: NOTICE_INPUT,
  async run(_tx, { target, code, startsAt, endsAt, ...input }, by: By<NoticeWorld>) {
    const { catalog, environment } = by.world
    const providers = await listProviderCodes(environment, by.database)
    const result = await addNotice(
      by.database,
      { ...catalog.state().base, providers },
      {
        target: { kind: target, code },
        message: input.message,
        startsAt: startsAt ?? null,
        endsAt: endsAt ?? null,
        stopsPayments: input.stopsPayments ?? false,
        createdBy: input.createdBy ?? authorOf(by),
      },
    )
    return { target: targetOf(result), before: null, after: result, result }
  },
})

/** Ends a notice now, also before its planned end. Answers 404 if it is over already. */
export const closeNotice = act({
  name: 'notice.end',
  input: NOTICE_KEY,
  async run(_tx, { id }, { database }: By<unknown>) {
    const notice = await endNotice(database, id)
    return { target: targetOf(notice), before: { ...notice, endedAt: null }, after: notice, result: notice }
  },
})

async function listProviderCodes(environment: Environment, database: Database): Promise<string[]> {
  const codes = (await listConnections(database)).map(({ code }) => code)
  return environment === 'staging' ? [...codes, SIMULATOR_CODE] : codes
}

function authorOf({ caller }: By<unknown>): string {
  return caller.kind === 'operator' ? caller.email.slice(0, AUTHOR_LENGTH_MAX) : 'operator'
}

function targetOf({ id }: Notice) {
  return { kind: 'notice', id: String(id) }
}
