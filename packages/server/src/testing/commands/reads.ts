import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { dayOf, formatDay } from '../../lib/dates.ts'
import { createAuditLog } from '../../modules/audit/service.ts'
import { createOperatorApprovals } from '../../modules/operator/approvals/service.ts'
import { newApprover } from '../approvals.ts'
import { insertDelivery } from '../events/deliveries.ts'
import { sessionsOf } from '../sessions.ts'
import type { CommandBench, Prepare } from './bench.ts'
import { blockAddress, importedFile, newPacked, newRefusal, newUser, newWord, raiseAlert } from './bench.ts'
import { newOffer } from './offers.ts'

const nothing: Prepare = () => []
const ofReseller: Prepare = (c) => c.of()
const inBalance: Prepare = (c) => c.of('--stream', 'balance')
const today = () => formatDay(dayOf(Date.now()))

async function askDeposit(c: CommandBench): Promise<string[]> {
  const log = createAuditLog(c)
  const approvals = createOperatorApprovals({ log, priceChangeMaxPercent: 20, sessions: sessionsOf(c, log) })
  const { id } = await approvals.request(await newApprover(c, 'asker'), {
    kind: 'deposit',
    target: { kind: 'wallet', id: c.account },
    command: { account: c.account, amount: '5.00', remarks: 'bank', reference: null },
    reason: 'month end',
  })
  return ['--id', String(id)]
}

/** Returns a member of the first row of a list. */
async function firstOf(c: CommandBench, things: string, member: string): Promise<string> {
  const listed = await c.warungd(things, 'list')
  const [row] = listed[`${things}s`] as Record<string, unknown>[]
  return String(row?.[member])
}

async function filedLevels(c: CommandBench): Promise<string[]> {
  return ['--file', await c.written('more.json', '{"levels":[{"code":"MORE","name":"More"}]}')]
}

/** Commands that leave no line in the log and print a document here, with their words. They run after all changes. */
export const READS: Readonly<Record<string, Prepare>> = {
  config: nothing,
  migrate: nothing,
  'group list': nothing,
  'group verify': nothing,
  'backup list': async (c) => {
    const folder = join(c.env.WARUNG_DATA_DIR ?? '', 'backups')
    await mkdir(folder)
    return ['--from', folder]
  },
  'restore list': nothing,
  'restore lost': nothing,
  'restore later': async (c) => [
    '--to',
    '2026-01-01T00:00:00Z',
    '--file',
    `${await c.written('seen', '')}.later`,
  ],
  'reseller show': ofReseller,
  'reseller list': nothing,
  'settings show': ofReseller,
  'user list': ofReseller,
  'key list': ofReseller,
  'allowlist list': async (c) => {
    await c.warungd('allowlist', 'add', ...c.of('--network', '203.0.113.3'))
    return c.of()
  },
  'approval show': askDeposit,
  'approval list': nothing,
  'margin realised': nothing,
  'limit list': ofReseller,
  'member-limit list': newUser,
  'number-plan export': () => ['--country', 'SG'],
  'number-plan show': nothing,
  'rate list': async (c) => {
    await c.warungd('rate', 'set', 'USD', '4.70', '--reason', 'month end')
    return []
  },
  'threshold list': async (c) => {
    await c.warungd('threshold', 'add', ...c.of('--amount', '50'))
    return c.of()
  },
  'ledger chain': nothing,
  'ledger verify': nothing,
  'ledger heads': nothing,
  'ledger balance': (c) => c.of('--at', new Date().toISOString()),
  'ledger house': nothing,
  'audit list': () => ['--action', 'price.set'],
  'audit verify': nothing,
  'closing run': nothing,
  'closing list': ofReseller,
  'closing show': (c) => c.of('--day', today()),
  'closing verify': nothing,
  statement: async (c) =>
    c.of('--month', today().slice(0, 7), '--format', 'csv', '--output', await c.written('month.csv', '')),
  reconcile: async (c) => {
    const file = await c.written('refids.csv', 'refid\nR-1\n')
    const output = await c.written('compared.csv', '')
    return c.of('--from', today(), '--to', today(), '--file', file, '--output', output)
  },
  'payment list': ofReseller,
  'payment show': async (c) => c.of('--id', await firstOf(c, 'payment', 'id')),
  'payment stuck': nothing,
  'payment trace': async (c) => ['--id', await firstOf(c, 'payment', 'id')],
  'case list': nothing,
  'case show': async (c) => ['--number', await firstOf(c, 'case', 'number')],
  'clock show': ofReseller,
  'notice list': nothing,
  'mail list': nothing,
  'mail show': async (c) => ['--id', await firstOf(c, 'mail', 'id')],
  'mail preferences': ofReseller,
  'alert list': async (c) => {
    await raiseAlert(c)
    return []
  },
  'endpoint list': nothing,
  'endpoint show': inBalance,
  'delivery list': inBalance,
  'delivery show': async (c) =>
    c.of('--stream', 'balance', '--id', await insertDelivery(c, c.resellerId, { status: 'failed' })),
  'delivery queue': nothing,
  'settlement list': nothing,
  'settlement show': importedFile,
  'settlement compare': importedFile,
  'settlement differences': importedFile,
  'provider list': nothing,
  'provider packs': nothing,
  'provider claims': async (c) => ['--provider', await newPacked(c)],
  'provider word list': async (c) => ['--provider', (await newWord(c))[1] ?? ''],
  'provider failures': newRefusal,
  'provider show': async (c) => ['--code', await firstOf(c, 'provider', 'code')],
  'provider health': nothing,
  'provider float': nothing,
  'route list': nothing,
  'stock list': nothing,
  'stock batches': nothing,
  'catalog export': nothing,
  'catalog diff': filedLevels,
  'catalog proposals': newOffer,
  'catalog show': () => ['--product', 'NOVA'],
  'level list': nothing,
  'overlay show': async (c) => {
    await c.warungd('overlay', 'set', ...c.of('--product', 'NOVA', '--off'))
    return c.of()
  },
  'operator list': nothing,
  'block list': async (c) => {
    await blockAddress(c, '198.51.100.8')
    return []
  },
}
