import type { Environment } from '../../../config.ts'
import type { Database } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { parseId } from '../../../lib/input/ids.ts'
import { FLAG, optional } from '../../../lib/input/parameters.ts'
import { audited } from '../../audit/service.ts'
import type { Act, AuditCaller, AuditLog } from '../../audit/types.ts'
import type { Catalog } from '../../catalog/product/store.types.ts'
import type { NoticeInput as NewNotice } from '../../network/notices.rules.ts'
import { addNotice, endNotice, listNotices } from '../../network/notices.service.ts'
import type { Notice } from '../../network/types.ts'
import { listConnections } from '../../providers/connections/connections.service.ts'
import { SIMULATOR_CODE } from '../../providers/simulator/service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import { unknown } from '../console/pages.rules.ts'

export type NoticesContext = {
  readonly database: Database
  readonly catalog: Pick<Catalog, 'state'>
  readonly environment: Environment
  readonly log: AuditLog
  /** Time of the database's clock. */
  readonly nowMs: () => number
}

const LIST_MAX = 1_000
const AUTHOR_LENGTH_MAX = 100

/** Lists the newest first. */
export function listNoticesForOperators(
  { database }: NoticesContext,
  query: { readonly all?: string | undefined },
): Promise<readonly Notice[]> {
  const { all: includeOver } = readFields({ all: optional(FLAG, false) }, query)
  return listNotices(database, { includeOver, limit: LIST_MAX })
}

export type NoticeInput = {
  readonly target: string
  readonly code: string
  readonly message: string
  readonly starts_at?: string | undefined
  readonly ends_at?: string | undefined
  readonly stops_payments?: boolean | undefined
}

export function postNotice(
  context: NoticesContext,
  caller: OperatorCaller,
  input: NoticeInput,
  reason: unknown,
): Promise<Notice> {
  return createNotice(
    context,
    { caller, reason },
    {
      target: input.target,
      code: input.code,
      message: input.message,
      starts: input.starts_at,
      ends: input.ends_at,
      stopsPayments: input.stops_payments ?? false,
      createdBy: caller.email.slice(0, AUTHOR_LENGTH_MAX),
    },
  ).catch(renamed)
}

type CreationContext = Pick<NoticesContext, 'catalog' | 'environment' | 'log'>

/** Creates a notice, for every face. */
export function createNotice(
  context: CreationContext,
  by: Omit<Act, 'action'>,
  notice: NewNotice,
): Promise<Notice> {
  return audited(context.log, { ...by, action: 'notice.create' }, async (_, database) => {
    const known = {
      ...context.catalog.state().base,
      providers: await listProviderCodes(context.environment, database),
    }
    const result = await addNotice(database, known, notice)
    return { target: targetOf(result), before: null, after: result, result }
  })
}

async function listProviderCodes(environment: Environment, database: Database): Promise<string[]> {
  const codes = (await listConnections(database)).map(({ code }) => code)
  return environment === 'staging' ? [...codes, SIMULATOR_CODE] : codes
}

const WIRE_NAMES: Readonly<Record<string, string>> = { starts: 'starts_at', ends: 'ends_at' }

/** Replaces the field names of the notice board, two of which are shorter than those of the API. */
function renamed(error: unknown): never {
  if (!(error instanceof RequestError) || error.fields === undefined) throw error
  const fields = Object.entries(error.fields).map(([name, texts]) => [WIRE_NAMES[name] ?? name, texts])
  const { status, code, publicText } = error
  throw new RequestError({ status, code, publicText, fields: Object.fromEntries(fields), cause: error })
}

/** Ends a notice now, also before its planned end. Answers 404 if it is over already. */
export function closeNotice(
  context: Pick<NoticesContext, 'log'>,
  caller: AuditCaller,
  id: string,
  reason: unknown,
): Promise<Notice> {
  const noticeId = parseId(id)
  if (noticeId === undefined) throw unknown('open notice')
  return audited(context.log, { caller, action: 'notice.end', reason }, async (_, database) => {
    const notice = await endNotice(database, noticeId)
    return { target: targetOf(notice), before: { ...notice, endedAt: null }, after: notice, result: notice }
  })
}

function targetOf({ id }: Notice) {
  return { kind: 'notice', id: String(id) }
}
