import { open } from 'node:fs/promises'
import type { Database, Tx } from '../../db/database.ts'
import { listResellers } from '../../modules/accounts/service.ts'
import { listRestores, readPaymentsSince, recordRestore } from '../../modules/payments/restores/service.ts'
import type { LostPayment, Restore } from '../../modules/payments/restores/types.ts'
import { findGoneSince, withdrawGone } from '../../modules/providers/stock/lost.service.ts'

// File of the payments that a database took after the moment to which another one is restored: a line of its restores and
// of the stock that is gone, then a line for each payment.

/** Content of such a file. */
export type Later = {
  /** Last commit of the log that was read; null: none was read. */
  readonly logReadTo: Date | null
  readonly items: readonly bigint[]
  readonly restores: readonly Restore[]
  readonly payments: () => AsyncIterable<readonly LostPayment[]>
}

export const NOTHING_LATER: Later = {
  logReadTo: null,
  items: [],
  restores: [],
  async *payments() {
    // No log was read.
  },
}

const RESTORES_MAX = 1_000

/** Writes the payments since a moment to a new file; returns how many. */
export async function writeLater(
  database: Database,
  {
    moment,
    file,
    logReadTo,
  }: { readonly moment: Date; readonly file: string; readonly logReadTo: Date | null },
): Promise<number> {
  const handle = await open(file, 'wx', 0o600)
  let count = 0
  try {
    const items = await findGoneSince(database, moment)
    const restores = await listRestores(database, { limit: RESTORES_MAX })
    await handle.write(`${JSON.stringify({ logReadTo, items, restores }, bigintsAsText)}\n`)
    for await (const page of readPaymentsSince(database, moment)) {
      await handle.write(page.map((payment) => `${JSON.stringify(payment, bigintsAsText)}\n`).join(''))
      count += page.length
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return count
}

function bigintsAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

const PAGE = 2_000

/** Opens a file that `writeLater` wrote. Its payments are read page by page. */
export async function openLater(file: string): Promise<Later> {
  const handle = await open(file)
  try {
    for await (const line of handle.readLines()) return { ...readHead(line), payments: () => readPages(file) }
    throw new Error(`${file} is empty`)
  } finally {
    await handle.close().catch(() => {})
  }
}

type Head = {
  readonly logReadTo: string | null
  readonly items: readonly string[]
  readonly restores: readonly (Record<keyof Restore, string> & { readonly logReadTo: string | null })[]
}

function readHead(line: string): Omit<Later, 'payments'> {
  const { logReadTo, items, restores } = JSON.parse(line) as Head
  const dateOf = (text: string | null) => (text === null ? null : new Date(text))
  return {
    logReadTo: dateOf(logReadTo),
    items: items.map(BigInt),
    restores: restores.map((restore) => ({
      ...(restore as unknown as Restore),
      id: BigInt(restore.id),
      restoredTo: new Date(restore.restoredTo),
      logReadTo: dateOf(restore.logReadTo),
    })),
  }
}

async function* readPages(file: string): AsyncGenerator<readonly LostPayment[]> {
  const handle = await open(file)
  let page: LostPayment[] = []
  let isHead = true
  for await (const line of handle.readLines()) {
    if (!isHead) page.push(readPayment(line))
    isHead = false
    if (page.length < PAGE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

function readPayment(line: string): LostPayment {
  const read = JSON.parse(line) as Record<keyof LostPayment, string> & { readonly paymentId: string | null }
  return {
    ...(read as unknown as LostPayment),
    resellerId: BigInt(read.resellerId),
    paymentId: read.paymentId === null ? null : BigInt(read.paymentId),
    amount: BigInt(read.amount),
    cost: BigInt(read.cost),
  }
}

/** Marks a restored database, keeps the lost payments and withdraws the stock that is gone. */
export async function markRestored(
  tx: Tx,
  restoredTo: Date,
  { logReadTo, restores, items, payments }: Later,
): Promise<{ readonly id: bigint; readonly lost: number; readonly withdrawnItems: number }> {
  const resellerIds = await listAllResellers(tx)
  const mark = { restoredTo, logReadTo, resellerIds, earlier: restores, later: payments() }
  const { id, lost } = await recordRestore(tx, mark)
  return { id, lost, withdrawnItems: items.length === 0 ? 0 : await withdrawGone(tx, items) }
}

const RESELLERS_PAGE = 1_000

async function listAllResellers(tx: Tx): Promise<bigint[]> {
  const ids: bigint[] = []
  for (let isLast = false; !isLast; ) {
    const page = await listResellers(tx, { after: ids.at(-1), limit: RESELLERS_PAGE })
    ids.push(...page.map(({ id }) => id))
    isLast = page.length < RESELLERS_PAGE
  }
  return ids
}
