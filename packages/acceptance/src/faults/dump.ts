import type pg from 'pg'
import type { FeedPage } from '../feed.ts'
import { EVENTS } from '../feed.ts'
import { signed } from '../http.ts'
import { until } from '../service.ts'
import type { Reseller } from './clients.ts'
import type { FaultyNode } from './nodes.ts'
import type {
  ChangeRow,
  DeliveryRow,
  DriftRow,
  EntryRow,
  FeedLine,
  HistoryLine,
  LeftWork,
  PaymentRow,
  QuoteRow,
  Received,
  Records,
  StatementLine,
  StatementSummary,
  SupplierLine,
  Unread,
  WalletRow,
} from './records.ts'
import { toUnits } from './records.ts'
import type { FaultySupplier } from './suppliers.ts'
import type { World } from './world.ts'
import { pathOf } from './world.ts'

// Reads everything that can be held against the clients' logs: tables, API, suppliers and receivers.

export type Dump = Omit<Records, 'exchanges' | 'voids' | 'steps' | 'events' | 'deaths' | 'left'>

const PAGE = 1_000
/** Events of a page: few enough for the nodes' short limit of a statement, on a busy machine, too. */
const FEED_PAGE = 200
const SHOWN_CHARACTERS = 200

/** Parts of a world that are read. */
export type Sources = Pick<World, 'query' | 'receiver' | 'resellers'> &
  Partial<Pick<World, 'guards'>> & {
    /** Nodes of the service; the first one answers. */
    readonly nodes: readonly Pick<FaultyNode, 'url'>[]
    readonly suppliers: readonly Pick<FaultySupplier, 'code' | 'simulator'>[]
  }

export async function dumpWorld(world: Sources): Promise<Dump> {
  const { resellers } = world
  const accounts = resellers.map(({ account }) => account)
  const perReseller = await Promise.all(resellers.map((reseller) => readReseller(world, reseller)))
  return {
    ...(await readTables(world, accounts)),
    guards: world.guards ?? [],
    lines: await readSuppliers(world),
    received: await readReceived(world, 'callback'),
    webhooks: await readReceived(world, 'balance'),
    feed: perReseller.flatMap(({ feed }) => feed),
    history: perReseller.flatMap(({ history }) => history),
    statement: perReseller.flatMap(({ statement }) => statement),
    summaries: perReseller.flatMap(({ summaries }) => summaries),
    unread: perReseller.flatMap(({ unread }) => unread),
  }
}

type Tables = Pick<Dump, 'payments' | 'quotes' | 'drifts' | 'entries' | 'wallets' | 'changes' | 'deliveries'>

async function readTables({ query }: Sources, accounts: readonly string[]): Promise<Tables> {
  const own = 'join resellers r on r.id = t.reseller_id and r.account = any ($1)'
  const read = <Row extends pg.QueryResultRow>(columns: string, from: string) =>
    query<Row>(`select r.account as account, ${columns} from ${from}`, [accounts])
  return {
    payments: await read<PaymentRow>(
      `t.id::text, t.refid, t.product_code as product, t.account as target, t.cost::float8, t.code::int, t.provider,
       (extract(epoch from t.created_at) * 1000)::float8 as "takenMs", d.day::text,
       (select (extract(epoch from min(c.at)) * 1000)::float8 from payment_changes c
         where c.reseller_id = t.reseller_id and c.payment_id = t.id and c.kind = 'state'
           and c.code not in (0, 1, 20)) as "givenBackMs"`,
      `payments t ${own} cross join lateral counted_day(t.reseller_id, t.created_at) d order by t.reseller_id, t.id`,
    ),
    quotes: await read<QuoteRow>(
      't.id::text, t.cost::float8, t.payment_id::text as "paymentId"',
      `quotes t ${own}`,
    ),
    drifts: await read<DriftRow>(
      `concat_ws(' ', t.kind, t.subject, t.day, t.category) as what`,
      `drifted_counts(null) t ${own}`,
    ),
    entries: await read<EntryRow>(
      `t.sequence::float8, t.kind, t.amount::float8, t.balance_after::float8 as balance,
       t.payment_id::text as "paymentId", t.remarks,
       (extract(epoch from t.created_at) * 1000)::float8 as "postedMs"`,
      `transfers t ${own} order by t.reseller_id, t.sequence`,
    ),
    wallets: await read<WalletRow>('t.balance::float8, t.sequence::float8', `wallets t ${own}`),
    changes: await read<ChangeRow>(
      `t.payment_id::text as "paymentId", t.kind, t.code::int, t.attempt::int, t.detail`,
      `payment_changes t ${own} order by t.reseller_id, t.payment_id, t.id`,
    ),
    deliveries: await read<DeliveryRow>(
      `t.stream, t.event_id as "eventId", t.subject::text as "paymentId", t.code::int, t.status,
       t.attempts_made::int as attempts, t.error`,
      `deliveries t ${own} where t.stream in ('callback', 'balance') order by t.id`,
    ),
  }
}

/** Lists work that is not done. Nothing is left when it is empty. */
export async function listLeft({
  query,
  resellers,
}: Pick<Sources, 'query' | 'resellers'>): Promise<LeftWork[]> {
  const accounts = resellers.map(({ account }) => account)
  return query<LeftWork & Record<string, string>>(
    `with own as (select id, account from resellers where account = any ($1))
     select 'a payment is not final' as what, p.id::text as subject, o.account
       from payments p join own o on o.id = p.reseller_id where p.code in (0, 1)
     union all
     select 'an attempt is open', w.payment_id::text, o.account
       from payment_open_attempts w join own o on o.id = w.reseller_id
     union all
     select 'a void is not decided', c.payment_id::text, o.account
       from cases c join own o on o.id = c.reseller_id where c.kind = 'void' and c.closed_at is null
     union all
     select 'a supplier is asked about a void', c.payment_id::text, o.account
       from case_work w join cases c on c.reseller_id = w.reseller_id and c.id = w.case_id
       join own o on o.id = c.reseller_id
     union all
     select 'a delivery is not finished', w.delivery_id::text, o.account
       from delivery_work w join own o on o.id = w.reseller_id
     union all
     select 'a fact has no number', f.id::text, '' from event_facts f`,
    [accounts],
  )
}

async function readSuppliers({ suppliers }: Sources): Promise<SupplierLine[]> {
  const books = await Promise.all(
    suppliers.map(async ({ code, simulator }) =>
      (await simulator.books()).map((line) => ({
        supplier: code,
        reference: line.reference,
        status: line.status,
        received: line.times_received,
        isVoided: line.voided_at !== null,
      })),
    ),
  )
  return books.flat()
}

/** Reads what the receiver got of a stream, account by account. */
async function readReceived(
  { receiver, resellers }: Sources,
  stream: 'callback' | 'balance',
): Promise<Received[]> {
  const perAccount = resellers.map(async ({ account }) => {
    const requests = await receiver.requests(pathOf(stream, account))
    return requests.map(({ headers, body, standard, status }) => ({
      account,
      eventId: headers['webhook-id'] ?? '',
      body,
      isVerified: standard.includes('verified'),
      isTaken: status !== null && status >= 200 && status < 300,
    }))
  })
  return (await Promise.all(perAccount)).flat()
}

// ── API ──

type ResellerView = {
  readonly feed: FeedLine[]
  readonly history: HistoryLine[]
  readonly statement: StatementLine[]
  readonly summaries: readonly StatementSummary[]
  readonly unread: readonly Unread[]
}

async function readReseller({ nodes }: Sources, reseller: Reseller): Promise<ResellerView> {
  const url = nodes[0]?.url ?? ''
  let last = ''
  const read = async <T>(path: string): Promise<T> =>
    until(`${path} is answered`, async () => {
      const answer = await signed(url, reseller, { path }).catch((error: unknown) => {
        last = String(error)
        return undefined
      })
      if (answer?.status === 200) return answer.json<T>()
      if (answer !== undefined) last = `${answer.status} ${answer.text.slice(0, SHOWN_CHARACTERS)}`
      return undefined
    })
  const { account } = reseller
  const unread: Unread[] = []
  const readOr = <T>(what: string, nothing: T, work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      unread.push({ account, what: `${what}: ${String(error)}: ${last}` })
      return nothing
    })
  return {
    feed: await readOr('the feed', [], readFeed(account, read)),
    history: await readOr('the history', [], readHistory(account, read)),
    ...(await readOr('the statement', { statement: [], summaries: [] }, readStatement(account, read))),
    unread,
  }
}

type Read = <T>(path: string) => Promise<T>

async function readFeed(account: string, read: Read): Promise<FeedLine[]> {
  const lines: FeedLine[] = []
  for (let after = 0, hasMore = true; hasMore; ) {
    const page = await read<FeedPage>(`${EVENTS}?after=${after}&limit=${FEED_PAGE}`)
    for (const { sequence, id, type, data } of page.data) {
      const { transaction_id, transactionId, statusCode, amount, balance } = data
      const paymentId = transaction_id ?? transactionId
      lines.push({
        account,
        sequence,
        id,
        type,
        paymentId: paymentId === undefined ? null : String(paymentId),
        code: statusCode === undefined ? null : Number(statusCode),
        amount: amount === undefined ? null : toUnits(amount),
        balance: balance === undefined ? null : toUnits(balance),
      })
    }
    after = page.next
    hasMore = page.has_more
  }
  return lines
}

const DAY_MS = 86_400_000
const GMT8_MS = 8 * 3_600_000

/** Returns a range that has the whole run in it, also when the run passes midnight or the clock was moved. */
function range(): string {
  const day = (offsetMs: number) => new Date(Date.now() + GMT8_MS + offsetMs).toISOString().slice(0, 10)
  return encodeURIComponent(`${day(-DAY_MS)} - ${day(DAY_MS)}`)
}

async function readHistory(account: string, read: Read): Promise<HistoryLine[]> {
  type Line = { trxid: string; refid: string; status_code: string }
  const lines: HistoryLine[] = []
  for (let offset = 0; ; offset += PAGE) {
    const { data } = await read<{ data: Line[] }>(
      `/v2/transactions?limit=${PAGE}&offset=${offset}&date=${range()}`,
    )
    lines.push(
      ...data.map(({ trxid, refid, status_code }) => ({
        account,
        id: trxid,
        refid,
        code: Number(status_code),
      })),
    )
    if (data.length < PAGE) return lines
  }
}

async function readStatement(
  account: string,
  read: Read,
): Promise<{ statement: StatementLine[]; summaries: StatementSummary[] }> {
  type Line = { id: number; type: string; amount: number; balance: number; trxid?: string | null }
  type Sum = { amount: number }
  type Page = {
    data: Line[]
    meta: { last_page: number }
    summary: { total_transactions: Sum; total_deposit: Sum; total_refund: Sum }
  }
  const lines: StatementLine[] = []
  for (let page = 1; ; page += 1) {
    const { data, meta, summary } = await read<Page>(
      `/v2/balance-statement?page=${page}&limit=${PAGE}&date=${range()}`,
    )
    for (const { id, type, amount, balance, trxid } of data) {
      const paymentId = trxid === undefined || trxid === null || trxid === '' ? null : String(trxid)
      lines.push({ account, id, type, amount: toUnits(amount), balance: toUnits(balance), paymentId })
    }
    if (page < meta.last_page) continue
    return {
      // The API shows the newest entry first.
      statement: lines.reverse(),
      summaries: [
        {
          account,
          transactions: toUnits(summary.total_transactions.amount),
          deposits: toUnits(summary.total_deposit.amount),
          refunds: toUnits(summary.total_refund.amount),
        },
      ],
    }
  }
}
