import { loadCatalog } from '../../../modules/catalog/store/load.service.ts'
import { noticeStateAt } from '../../../modules/network/notices.rules.ts'
import { listNotices } from '../../../modules/network/notices.service.ts'
import type { Notice } from '../../../modules/network/types.ts'
import { NOTICE_TARGETS } from '../../../modules/network/types.ts'
import { closeNotice, createNotice } from '../../../modules/operator/watch/notices.service.ts'
import type { Call, Command, Output } from '../../command.ts'
import { UsageError } from '../../command.ts'
import { readId } from '../../options.ts'
import { openAct } from '../../record.ts'
import { formatFields, formatTable } from '../../text.ts'

const LIST_MAX = 1_000

export const noticeCommands: readonly Command[] = [
  {
    name: 'notice add',
    summary: 'say that a product, a category or a provider does not work',
    details: `Its products are shown as interrupted by /v2/networkstatus on every node within seconds; those of a provider
when no other provider fulfils them. Nothing else happens unless --stops-payments is given.`,
    options: {
      product: { value: 'CODE', help: 'one product', names: 'product' },
      category: {
        value: 'CODE',
        help: 'every product of a category of the base catalogue',
        names: 'category',
      },
      provider: {
        value: 'CODE',
        help: 'the products that this provider alone fulfils',
        names: 'fulfilling provider',
      },
      message: { value: 'TEXT', help: 'the message; 1 to 500 characters', required: true },
      starts: { value: 'TIME', help: 'such as 2026-03-01T22:00:00+08:00; now if left out' },
      ends: { value: 'TIME', help: 'without it, it holds until `notice end`' },
      'stops-payments': { help: 'new payments are refused with 44 Product_Unavailable meanwhile' },
      by: { value: 'NAME', help: 'who says so (default: operator)' },
    },
    run: add,
  },
  {
    name: 'notice list',
    summary: 'list notices to come and in force, newest first',
    options: { all: { help: `also those that are over; at most ${LIST_MAX} in all` } },
    async run(call) {
      const { database } = await call.runtime()
      const notices = await listNotices(database, { includeOver: call.has('all'), limit: LIST_MAX })
      const views = notices.map(noticeView)
      return { json: views, text: formatTable(views, 'There are no notices.') }
    },
  },
  {
    name: 'notice end',
    summary: 'end a notice now, whatever end it had',
    options: { id: { value: 'NUMBER', help: 'as `notice list` shows it', required: true } },
    async run(call) {
      const id = readId(call, 'id')
      const { caller, reason, ...context } = await openAct(call)
      return show(await closeNotice(context, caller, String(id), reason))
    },
  },
]

async function add(call: Call): Promise<Output> {
  const [target, ...others] = NOTICE_TARGETS.filter((name) => call.has(name))
  if (target === undefined || others.length > 0) {
    throw new UsageError('give one of --product, --category, --provider')
  }
  const { environment } = call.config()
  const { database, log, ...by } = await openAct(call)
  const state = await loadCatalog(database)
  const notice = await createNotice({ log, environment, catalog: { state: () => state } }, by, {
    target,
    code: call.text(target),
    message: call.text('message'),
    starts: call.find('starts'),
    ends: call.find('ends'),
    stopsPayments: call.has('stops-payments'),
    createdBy: call.find('by') ?? 'operator',
  })
  return show(notice)
}

function show(notice: Notice): Output {
  const view = noticeView(notice)
  return { json: view, text: formatFields(view) }
}

function noticeView(notice: Notice) {
  return {
    id: String(notice.id),
    state: noticeStateAt(notice, Date.now()),
    target: notice.target.kind,
    code: notice.target.code,
    stops_payments: notice.stopsPayments,
    starts_at: notice.startsAt.toISOString(),
    ends_at: notice.endsAt?.toISOString() ?? null,
    ended_at: notice.endedAt?.toISOString() ?? null,
    created_by: notice.createdBy,
    created_at: notice.createdAt.toISOString(),
    message: notice.message,
  }
}
