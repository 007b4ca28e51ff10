import { resolve } from 'node:path'
import { readReplayedTo } from '../../../backup/sql.ts'
import type { Database, Tx } from '../../../db/database.ts'
import { formatMoney } from '../../../lib/money.ts'
import { getReseller } from '../../../modules/accounts/service.ts'
import type { Reseller } from '../../../modules/accounts/types.ts'
import { referenceOf } from '../../../modules/payments/core/schedule.rules.ts'
import {
  acceptRestore,
  holdRefid,
  listLostPayments,
  listRestores,
  releaseRefid,
} from '../../../modules/payments/restores/service.ts'
import type { KeptLostPayment, Restore } from '../../../modules/payments/restores/types.ts'
import { listAccounts } from '../../../modules/payments/support/support.service.ts'
import { countFreeItems, withdrawUnsure } from '../../../modules/providers/stock/lost.service.ts'
import { INSTANT } from '../../../modules/wallet/ledger/instants.rules.ts'
import { markRestored, NOTHING_LATER, openLater, writeLater } from '../../backup/later.ts'
import { restoreBackup } from '../../backup/restoring.ts'
import type { Call, Command, Output } from '../../command.ts'
import { RESELLER_OPTION, UsageError } from '../../command.ts'
import { openReseller, readLimit, readOption } from '../../options.ts'
import { loginName, recorded } from '../../record.ts'
import { formatFields, formatTable } from '../../text.ts'
import { folderOf, refuseExternal } from './backup.ts'

const REASON = { value: 'TEXT', help: 'why, for the audit log', required: true } as const
const REFID = { value: 'REFID', help: "the payment's refid", required: true } as const
const MOMENT = 'ISO 8601 with its zone: 2026-07-30T23:59:59+08:00'
const LIMIT = { value: 'NUMBER', help: 'at most this many, 1 to 1000 (default 100)' } as const

export const restoreCommands: readonly Command[] = [
  {
    name: 'restore list',
    summary: 'list the restores of this database, newest first',
    options: {},
    async run(call) {
      const { database } = await call.runtime()
      const rows = (await listRestores(database, { limit: 100 })).map(restoreView)
      return { json: { restores: rows }, text: formatTable(rows, 'This database was never restored.') }
    },
  },
  {
    name: 'restore lost',
    summary:
      'list payments that were taken after the restored moment: their outcome is to be asked of the provider',
    options: {
      after: {
        value: 'ACCOUNT/REFID',
        help: 'only payments after this one: the reseller and refid of the last one of the page before',
      },
      limit: LIMIT,
    },
    run: listLost,
  },
  {
    name: 'restore accept',
    summary:
      'take payments again: the gap after the restored moment was compared with providers and resellers',
    details: `Until then every refid that the database does not know is answered with 504, because it may have been paid
after the moment. Lost payments that the log showed, or that were held, stay refused after it.`,
    options: {
      reason: REASON,
      stock: {
        value: 'keep|withdraw',
        help: 'keep: no free item of the stock was sold after the end of the log; withdraw: take all of them off sale',
      },
    },
    run: accept,
  },
  {
    name: 'restore hold',
    summary:
      'keep a refid from being paid: a provider or the reseller says that it was paid after the moment',
    options: { reseller: RESELLER_OPTION, refid: REFID, reason: REASON },
    async run(call) {
      return decide(call, 'restore.hold', (tx, reseller, refid) => holdRefid(tx, reseller, refid))
    },
  },
  {
    name: 'restore release',
    summary: 'let a lost refid be paid: its provider says that nothing was done under its references',
    options: { reseller: RESELLER_OPTION, refid: REFID, reason: REASON },
    async run(call) {
      const decision = { by: loginName(), reason: call.text('reason') }
      return decide(call, 'restore.release', (tx, reseller, refid) =>
        releaseRefid(tx, reseller, refid, decision),
      )
    },
  },
  {
    name: 'restore mark',
    isLong: true,
    summary: 'mark a database that was restored by other means, before the service starts on it',
    details: `For a PostgreSQL of your own that was returned to an earlier moment by its own tools. Without the mark
payments that were made after the moment would be made again. With a file of \`restore later\` the payments in it
are kept as lost: their refids are never paid again.`,
    options: {
      to: {
        value: 'TIME',
        help: `the moment that it has, ${MOMENT}; by default the last commit that it replayed`,
      },
      later: { value: 'FILE', help: 'payments after the moment, as `restore later` wrote them' },
      reason: REASON,
    },
    run: mark,
  },
  {
    name: 'restore later',
    isLong: true,
    summary: 'write the payments after a moment to a file, from a database that still has them',
    details: `Before a PostgreSQL of your own is returned to a moment: run it with the DATABASE_URL of the server that
goes on after the moment (the old one, or a second restore to the end of the log), and give the file to
\`restore mark\`. It has numbers of customers: remove it afterwards.`,
    options: {
      to: { value: 'TIME', help: `the moment, ${MOMENT}`, required: true },
      file: { value: 'FILE', help: 'the new file', required: true },
    },
    run: saveLater,
  },
  {
    name: 'restore',
    isLong: true,
    summary: 'restore a backup into an empty data directory, to any moment since it was taken',
    details: `Unpacks the newest backup before the moment and replays the log up to it. Payments that the log has after
the moment are read first and kept as lost: their refids are never paid again. The restored database is marked;
the service starts on it, and pays refids that it does not know only after \`warungd restore accept\`.
Put master.key into the data directory first, or set WARUNG_MASTER_KEY.`,
    options: {
      from: { value: 'DIR', help: 'the folder of backups; by default WARUNG_BACKUP_DIR' },
      to: { value: 'TIME', help: `the moment, ${MOMENT}; by default the end of the log` },
      base: { value: 'NAME', help: 'begin with this backup' },
      'skip-later': {
        help: 'do not read the payments after the moment, because the log cannot be replayed to its end',
      },
      reason: { value: 'TEXT', help: 'why, for the audit log' },
    },
    run: restore,
  },
]

function readMoment(text: string): Date {
  const micros = readOption('to', INSTANT, text)
  const moment = new Date(Number(micros / 1_000n))
  if (moment.getTime() > Date.now()) throw new UsageError('--to: the moment has not come yet')
  return moment
}

async function restore(call: Call): Promise<Output> {
  const to = call.find('to')
  refuseExternal(call)
  const restored = await restoreBackup({
    config: call.config(),
    folder: folderOf(call, 'from'),
    to: to === undefined ? undefined : readMoment(to),
    base: call.find('base'),
    skipsLater: call.has('skip-later'),
    reason: call.find('reason') ?? 'restored at the machine',
    note: call.has('json') ? () => {} : call.note,
  })
  const view = {
    backup: restored.backup,
    cluster: restored.cluster,
    restored_to: restored.restoredTo.toISOString(),
    log_read_to: restored.logReadTo?.toISOString() ?? null,
    lost_payments: restored.lost,
    withdrawn_items: restored.withdrawnItems,
  }
  const next =
    '\n\nNext: start the service, ask the providers about `warungd restore lost`, then `warungd restore accept`.\n' +
    'Take a new backup: `warungd backup`.'
  return { json: view, text: formatFields(view) + next }
}

async function listLost(call: Call): Promise<Output> {
  const limit = readLimit(call, 100)
  const { database } = await call.runtime()
  const after = await readPlace(database, call.find('after'))
  const lost = await listLostPayments(database, { limit, after }, (ids) => listAccounts(database, ids))
  const rows = lost.map(lostView)
  return { json: { lost: rows }, text: formatTable(rows, 'No payment is lost.') }
}

/** Reads the place in the list behind which it goes on. */
async function readPlace(database: Database, text: string | undefined) {
  if (text === undefined) return undefined
  const end = text.indexOf('/')
  if (end === -1)
    throw new UsageError('--after: must be ACCOUNT/REFID, of the last payment of the page before')
  const { id } = await getReseller(database, text.slice(0, end))
  return { resellerId: id, refid: text.slice(end + 1) }
}

function lostView(lost: KeptLostPayment) {
  const { paymentId, attempts } = lost
  const references =
    paymentId === null
      ? []
      : Array.from({ length: attempts }, (_, index) => referenceOf(paymentId, index + 1))
  return {
    reseller: lost.reseller,
    refid: lost.refid,
    provider: lost.provider,
    references,
    product: lost.productCode,
    account: lost.account,
    amount: formatMoney(lost.amount),
    cost: formatMoney(lost.cost),
    code: lost.code,
  }
}

function restoreView(restore: Restore) {
  return {
    id: Number(restore.id),
    restored_to: restore.restoredTo.toISOString(),
    restored_at: restore.restoredAt.toISOString(),
    log_read_to: restore.logReadTo?.toISOString() ?? null,
    accepted_at: restore.acceptedAt?.toISOString() ?? null,
    accepted_by: restore.acceptedBy,
    lost: restore.lost,
  }
}

async function accept(call: Call): Promise<Output> {
  const { database } = await call.runtime()
  const reason = call.text('reason')
  const stock = call.find('stock')
  const [newest] = await listRestores(database, { limit: 1 })
  const free = await countFreeItems(database)
  if (stock !== undefined && stock !== 'keep' && stock !== 'withdraw') {
    throw new UsageError('--stock: must be keep or withdraw')
  }
  if (free > 0 && stock === undefined) {
    throw new UsageError(
      `--stock missing: ${free} items of the stock are free, and those that were sold after the end of the log look free, ` +
        'too. Say keep or withdraw',
    )
  }
  const view = await recorded(call, { action: 'restore.accept', reason }, async (tx) => {
    const ids = await acceptRestore(tx, { by: loginName(), reason })
    const withdrawn =
      stock === 'withdraw' && newest !== undefined ? await withdrawUnsure(tx, newest.restoredAt) : 0
    const result = { accepted: ids.map(Number), withdrawn_items: withdrawn }
    return { target: { kind: 'restore', id: ids.join(',') }, before: null, after: result, result }
  })
  return { json: view, text: formatFields(view) }
}

async function decide(
  call: Call,
  action: string,
  work: (tx: Tx, reseller: Reseller, refid: string) => Promise<void>,
): Promise<Output> {
  const { reseller } = await openReseller(call)
  const refid = call.text('refid')
  const view = { reseller: reseller.account, refid }
  await recorded(call, { action, reason: call.text('reason') }, async (tx) => {
    await work(tx, reseller, refid)
    return {
      target: { kind: 'refid', id: `${reseller.account}/${refid}` },
      before: null,
      after: view,
      result: view,
    }
  })
  return { json: view, text: formatFields(view) }
}

async function mark(call: Call): Promise<Output> {
  const to = call.find('to')
  const file = call.find('later')
  const later = file === undefined ? NOTHING_LATER : await openLater(resolve(file))
  const { database } = await call.runtime()
  const restoredTo = to === undefined ? await readReplayedTo(database) : readMoment(to)
  if (restoredTo === null) {
    throw new UsageError(
      '--to missing: this server has replayed no log since it was started, so it cannot say the moment',
    )
  }
  const view = await recorded(call, { action: 'restore.record', reason: call.text('reason') }, async (tx) => {
    const { id, lost, withdrawnItems } = await markRestored(tx, restoredTo, later)
    const result = {
      ...{ restore: Number(id), restored_to: restoredTo.toISOString() },
      ...(file === undefined ? {} : { lost_payments: lost, withdrawn_items: withdrawnItems }),
    }
    return { target: { kind: 'restore', id: String(id) }, before: null, after: result, result }
  })
  return { json: view, text: formatFields(view) }
}

async function saveLater(call: Call): Promise<Output> {
  const moment = readMoment(call.text('to'))
  const file = resolve(call.text('file'))
  const { database } = await call.runtime()
  // A server that replayed nothing beyond the moment has written on until now.
  const replayedTo = await readReplayedTo(database)
  const logReadTo = replayedTo !== null && replayedTo >= moment ? replayedTo : new Date()
  const payments = await writeLater(database, { moment, file, logReadTo })
  const view = { file, payments, log_read_to: logReadTo.toISOString() }
  return { json: view, text: formatFields(view) }
}
