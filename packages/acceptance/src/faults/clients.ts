import { signed } from '../http.ts'
import type { Credentials } from '../signing.ts'
import { freshNonce } from '../signing.ts'
import type { FaultyNode } from './nodes.ts'
import type { Random } from './random.ts'
import type { ClientAnswer, Exchange, Quoted, VoidAsk } from './records.ts'
import { isFinal, SUCCEEDED, toUnits } from './records.ts'

// Correct clients: each pays, asks again with the same body until the end, and keeps a log of what it was told.

export type Reseller = Credentials & {
  readonly account: string
  readonly name: string
  readonly isPoor: boolean
  /** True: some of its payments have a quote. */
  readonly asksQuotes?: boolean
}

type Body = {
  readonly refid: string
  readonly product: string
  readonly account: string
  readonly amount: number
  readonly quote_id?: string
}

/** Kind of payment: product, account (null: one of its own, which succeeds) and amount (left out: 10). */
export type Kind = { readonly product: string; readonly account: string | null; readonly amount?: number }

/** Kinds of payments with their weights. */
export type Kinds = readonly (readonly [weight: number, kind: Kind])[]

const KINDS: Kinds = [
  [40, { product: 'KITA', account: null }],
  [14, { product: 'NOVA', account: null }],
  [10, { product: 'KITA', account: '60123450048' }],
  [6, { product: 'KITA', account: '60123451002' }],
  [4, { product: 'NOVA', account: '60123452002' }],
  [6, { product: 'KITA', account: '60123453001' }],
  [4, { product: 'NOVA', account: '60123453002' }],
  [2, { product: 'NOVA', account: '60123453003' }],
  [8, { product: 'VOLT', account: '60123454001' }],
  [8, { product: 'VOLT', account: '60123454002' }],
  // Suppliers do not decide about the voids of these: operators do, and of the dearer ones two of them.
  [4, { product: 'VOLT', account: null }],
  [6, { product: 'VOLT', account: null, amount: 30 }],
]

/** Account of which no supplier ever says what became of it: an operator decides. */
export const NEVER_DECIDED = '60123453003'
/** Product whose payments can be voided. */
const VOIDABLE = 'VOLT'
const AMOUNT = 10

/** A client hangs up after this time and asks again. */
const PATIENCE_MS = 6_000
/** A second later: requests that were signed in one second cannot be told apart by their time. */
const AGAIN_AFTER_MS = 1_100
const POLL_MS = 700
const THINK_MS = 250
const REJECTIONS_MAX = 3
const TEMPORARY = 49
const GIVES_UP_SHARE = 0.5
const REPLAY_SHARE = 0.08
const VOID_SHARE = 0.6
const QUOTE_SHARE = 0.35
/** Share of the payments with a quote that name one which another payment has named. */
const USED_QUOTE_SHARE = 0.25

export type Load = {
  readonly exchanges: Exchange[]
  readonly voids: VoidAsk[]
  /** Sends so many payments at once. */
  burst(payments: number): void
  /** Pays at this node alone; resolves when the payment is acknowledged there. Its end is followed as all others. */
  payAt(node: ClientNode): Promise<void>
  /** Begins nothing new; resolves when every client knows the end of its payments. */
  finish(): Promise<void>
  /** Ends without the end of the payments. */
  abandon(): void
  readonly open: number
}

/** Node as clients know it. */
export type ClientNode = Pick<FaultyNode, 'index' | 'url'>

export type LoadOptions = {
  readonly nodes: readonly ClientNode[]
  /** Kinds of payments; left out: every kind that the suppliers of a world can take. */
  readonly kinds?: Kinds
  /** Times after which a client hangs up, one of them for each request; left out: always the same. */
  readonly patiencesMs?: readonly number[]
  readonly resellers: readonly Reseller[]
  readonly clients: number
  readonly random: Random
  readonly runName: string
  /** Payments that are made: those whose product and account fit; left out: all kinds. */
  readonly payments?: RegExp | undefined
  nowMs(): number
}

/** Lists the kinds of payments that fit. */
function kindsOf({ kinds: possible = KINDS, payments }: LoadOptions): Kinds {
  const kinds = possible.filter(
    ([, { product, account }]) => payments?.test(`${product} ${account}`) !== false,
  )
  if (kinds.length === 0) throw new Error(`no kind of payment fits ${payments}`)
  return kinds
}

export function startLoad(options: LoadOptions): Load {
  const { resellers, clients, random } = options
  const state: ClientState = {
    options,
    kinds: kindsOf(options),
    exchanges: [],
    voids: [],
    quotes: new Map(),
    count: 0,
    isEnding: false,
    isAbandoned: false,
    open: 0,
  }
  const running = new Set<Promise<void>>()
  const run = (work: Promise<void>) => {
    const kept: Promise<void> = work.finally(() => running.delete(kept))
    running.add(kept)
  }
  for (let index = 0; index < clients; index += 1) {
    run(live(state, resellers[index % resellers.length] as Reseller, random.fork(`client ${index}`)))
  }
  return {
    exchanges: state.exchanges,
    voids: state.voids,
    burst(payments) {
      const reseller = random.pick(resellers)
      for (let index = 0; index < payments; index += 1) {
        run(pay(state, reseller, random.fork(`burst ${state.count}`)))
      }
    },
    async payAt(node) {
      let isAcknowledged = false
      const onAcknowledged = () => (isAcknowledged = true)
      // A payment that is rejected for the moment is followed by another one.
      while (!isAcknowledged && !state.isAbandoned) {
        const own = random.fork(`at ${node.index}, ${state.count}`)
        await new Promise<void>((resolve) => {
          const place = { nodes: [node], onAcknowledged: () => resolve(void onAcknowledged()) }
          run(pay(state, resellers[0] as Reseller, own, place).finally(resolve))
        })
      }
    },
    async finish() {
      state.isEnding = true
      while (running.size > 0) await Promise.all(running)
    },
    abandon() {
      state.isEnding = true
      state.isAbandoned = true
    },
    get open() {
      return state.open
    },
  }
}

type ClientState = {
  readonly options: LoadOptions
  readonly kinds: Kinds
  readonly exchanges: Exchange[]
  readonly voids: VoidAsk[]
  /** Last quote of each account, with what was quoted. */
  readonly quotes: Map<string, Wanted>
  count: number
  isEnding: boolean
  isAbandoned: boolean
  open: number
}

async function live(state: ClientState, reseller: Reseller, random: Random): Promise<void> {
  while (!state.isEnding) {
    await pay(state, reseller, random)
    await pause(random.between(0, THINK_MS * 2))
  }
}

/** Nodes that a payment is sent to, and who hears that one of them has it. */
type Place = { readonly nodes: readonly ClientNode[]; readonly onAcknowledged?: () => void }

/** Pays once and follows the payment to its end. */
async function pay(
  state: ClientState,
  reseller: Reseller,
  random: Random,
  place: Place = { nodes: state.options.nodes },
): Promise<void> {
  state.open += 1
  const { body, quoted } = await wantedBy(state, reseller, newBody(state, random), random)
  let rejections = 0
  while (!state.isAbandoned) {
    const told = await ask(state, reseller, { body, quoted }, random, place)
    if (told.kind === 'strange' || told.kind === 'nonce_reused') break
    if (told.kind === 'payment' && isFinal(told.code)) {
      if (told.code === SUCCEEDED && body.product === VOIDABLE && random.chance(VOID_SHARE)) {
        await askToVoid(state, reseller, body, random)
      }
      break
    }
    if (told.kind === 'rejected') {
      rejections += 1
      // After a rejection a client may try again, or give its customer the money back.
      if (told.code !== TEMPORARY || rejections >= REJECTIONS_MAX || random.chance(GIVES_UP_SHARE)) break
    }
    await pause(told.kind === 'payment' ? POLL_MS : AGAIN_AFTER_MS)
  }
  state.open -= 1
}

function newBody(state: ClientState, random: Random): Body {
  state.count += 1
  const { product, account, amount = AMOUNT } = random.weighted(state.kinds)
  return {
    refid: `${state.options.runName}-${state.count}`,
    product,
    account: account ?? `6019${3_000_000 + state.count}`,
    amount,
  }
}

/** Payment as it is sent, with the quote that it names. */
type Wanted = { readonly body: Body; readonly quoted?: Quoted | undefined }

/** Asks for a quote now and then. Now and then somebody pays one a second time, under another refid. */
async function wantedBy(
  { options, quotes }: ClientState,
  reseller: Reseller,
  body: Body,
  random: Random,
): Promise<Wanted> {
  if (reseller.asksQuotes !== true || !random.chance(QUOTE_SHARE)) return { body }
  const last = quotes.get(reseller.account)
  if (last !== undefined && random.chance(USED_QUOTE_SHARE)) {
    return { ...last, body: { ...last.body, refid: body.refid } }
  }
  const { refid: _, ...json } = body
  const input = { method: 'POST', path: '/v2/quotes', json, timeoutMs: PATIENCE_MS }
  const answer = await signed(random.pick(options.nodes).url, reseller, input).catch(() => undefined)
  if (answer?.status !== 200) return { body }
  const { quote_id: id, cost } = answer.json<{ data: { quote_id: string; cost: number } }>().data
  const wanted = { body: { ...body, quote_id: id }, quoted: { id, cost: toUnits(cost) } }
  quotes.set(reseller.account, wanted)
  return wanted
}

/** Sends the body once; now and then somebody sends the same bytes again. */
async function ask(
  state: ClientState,
  reseller: Reseller,
  body: Wanted,
  random: Random,
  { nodes, onAcknowledged }: Place,
): Promise<ClientAnswer> {
  const { patiencesMs } = state.options
  const proof = {
    nonce: freshNonce(),
    timestamp: Math.floor(Date.now() / 1_000),
    timeoutMs: patiencesMs === undefined ? PATIENCE_MS : random.pick(patiencesMs),
  }
  const told = await send(state, reseller, body, random.pick(nodes), proof, false)
  if (told.kind === 'payment') onAcknowledged?.()
  if ((told.kind === 'payment' || told.kind === 'rejected') && random.chance(REPLAY_SHARE)) {
    await send(state, reseller, body, random.pick(nodes), proof, true)
  }
  return told
}

async function send(
  { options, exchanges }: ClientState,
  reseller: Reseller,
  { body, quoted }: Wanted,
  node: ClientNode,
  proof: { nonce: string; timestamp: number; timeoutMs: number },
  isReplay: boolean,
): Promise<ClientAnswer> {
  const sentMs = options.nowMs()
  const input = { method: 'POST', path: '/v2/topup', json: body, ...proof }
  const told = await signed(node.url, reseller, input).then(
    ({ status, text }) => readAnswer(status, text),
    readError,
  )
  const { account } = reseller
  exchanges.push({
    account,
    refid: body.refid,
    node: node.index,
    sentMs,
    toldMs: options.nowMs(),
    told,
    isReplay,
    ...(quoted && { quoted }),
  })
  return told
}

/** Reads an answer as the contract says: a transaction id decides before the status does. */
export function readAnswer(http: number, text: string): ClientAnswer {
  const answer = parse(text)
  const { transaction_id: id, statusCode: code, remarks } = answer.data ?? {}
  if (http !== 409 && id !== undefined) return { kind: 'payment', http, id: String(id), code: Number(code) }
  if (http === 400 && code !== undefined) {
    return { kind: 'rejected', code: Number(code), remarks: String(remarks) }
  }
  if (http >= 500) return { kind: 'unknown', why: String(http) }
  if (http === 401 && answer.error === 'nonce_reused') return { kind: 'nonce_reused' }
  return { kind: 'strange', why: `${http} ${text.slice(0, 300)}` }
}

type Parsed = { readonly data?: Record<string, unknown>; readonly error?: string }

function parse(text: string): Parsed {
  try {
    return JSON.parse(text) as Parsed
  } catch {
    return {}
  }
}

/** Reads a failure of the transport. Any other error is about an answer that the API documents do not have. */
function readError(error: Error & { code?: string }): ClientAnswer {
  const isTransport = error.code !== undefined || /no answer in|socket hang up|aborted/.test(error.message)
  if (isTransport) return { kind: 'unknown', why: error.code ?? error.message }
  return { kind: 'strange', why: error.message.slice(0, 300) }
}

async function askToVoid(state: ClientState, reseller: Reseller, body: Body, random: Random): Promise<void> {
  const { options, voids } = state
  const json = { refid: body.refid, refund_type: 2 }
  const input = { method: 'POST', path: '/v2/transactions/void', json, timeoutMs: PATIENCE_MS }
  const answer = await signed(random.pick(options.nodes).url, reseller, input).catch(() => undefined)
  const status = answer?.status === 200 ? answer.json<{ data: { status: string } }>().data.status : undefined
  const told = status === 'Success' || status === 'Failed' ? status : null
  voids.push({ account: reseller.account, refid: body.refid, atMs: options.nowMs(), told })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
