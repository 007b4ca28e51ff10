import { loadCatalog } from '../../../modules/catalog/store/load.service.ts'
import { closeNotice, createNotice } from '../../../modules/network/acts.ts'
import { NOTICE } from '../../../modules/network/notices.codec.ts'
import { listNotices } from '../../../modules/network/notices.service.ts'
import type { Notice } from '../../../modules/network/types.ts'
import { NOTICE_TARGETS } from '../../../modules/network/types.ts'
import type { Command, Output } from '../../command.ts'
import { UsageError } from '../../command.ts'
import { actCommand } from '../../kit/acts.ts'
import { formatFields, formatTable } from '../../text.ts'

const LIST_MAX = 1_000

export const noticeCommands: readonly Command[] = [
  actCommand({
    name: 'notice add',
    summary: 'say that a product, a category or a provider does not work',
    details: `Its products are shown as interrupted by /v2/networkstatus on every node within seconds; those of a provider
when no other provider fulfils them. Nothing else happens unless --stops-payments is given.`,
    act: createNotice,
    without: ['target', 'code'],
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
    },
    input(call) {
      const [target, ...others] = NOTICE_TARGETS.filter((name) => call.has(name))
      if (target === undefined || others.length > 0) {
        throw new UsageError('give one of --product, --category, --provider')
      }
      return { target, code: call.text(target) }
    },
    async world({ database, config: { environment } }) {
      const state = await loadCatalog(database)
      return { environment, catalog: { state: () => state } }
    },
    show,
  }),
  {
    name: 'notice list',
    summary: 'list notices to come and in force, newest first',
    options: { all: { help: `also those that are over; at most ${LIST_MAX} in all` } },
    async run(call) {
      const { database } = await call.runtime()
      const notices = await listNotices(database, { includeOver: call.has('all'), limit: LIST_MAX })
      const views = notices.map((notice) => NOTICE.encode(notice, Date.now()))
      const rows = views.map(({ message, ...row }) => ({ ...row, message }))
      return { json: views, text: formatTable(rows, 'There are no notices.') }
    },
  },
  actCommand({
    name: 'notice end',
    summary: 'end a notice now, whatever end it had',
    act: closeNotice,
    world: () => undefined,
    show,
  }),
]

function show(notice: Notice): Output {
  const view = NOTICE.encode(notice, Date.now())
  return { json: view, text: formatFields(view) }
}
