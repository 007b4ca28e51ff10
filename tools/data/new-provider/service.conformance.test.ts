import { expect, it } from 'vitest'
import { parseNetwork } from '../../../lib/addresses.ts'
import { createOutbound } from '../../../outbound/client.ts'
import type { Fate, ProviderBench } from '../../../testing/providers/provider-bench.ts'
import { cannotArrange, newOrder } from '../../../testing/providers/provider-bench.ts'
import { describeProviderConformance } from '../../../testing/providers/provider-conformance.ts'
import type {
  SupplierBooks,
  SupplierOrder,
  SupplierReply,
  SupplierRequest,
  SupplierTask,
} from '../../../testing/providers/supplier-server.ts'
import { openSupplierBooks, startSupplier } from '../../../testing/providers/supplier-server.ts'
import { FAILURES } from './mapping.rules.ts'
import { createSampleKind } from './service.ts'

const API_KEY = 'the-key-that-nobody-may-see'
const LOOPBACK = [parseNetwork('127.0.0.0/8')].filter((network) => network !== undefined)

// ── Sample as its manual describes it; an order's account says what is to become of it ──

function readTask(books: SupplierBooks, { method, path, headers, body }: SupplierRequest): SupplierTask {
  const isAdmitted = headers.authorization === `Bearer ${API_KEY}`
  const admitted = (act: () => SupplierReply | undefined) => () =>
    isAdmitted ? act() : { status: 401, body: { result: 'unauthorized' } }
  if (method === 'POST') {
    const { reference, account } = JSON.parse(body) as { reference: string; account: Fate }
    return { place: 'submit', act: admitted(() => receive(books, reference, account)) }
  }
  const reference = decodeURIComponent(path.replace('/orders/', ''))
  return { place: 'query', act: admitted(() => describeOrder(books.find(reference))) }
}

function receive(books: SupplierBooks, reference: string, fate: Fate): SupplierReply | undefined {
  if (fate === 'not_acted') return { status: 200, body: { result: 'refused', error: 'MAINTENANCE' } }
  const order = books.receive(reference, fate)
  return fate === 'never_known' ? undefined : describeOrder(order)
}

function describeOrder(order: SupplierOrder | undefined): SupplierReply {
  if (order === undefined) return { status: 404, body: { result: 'not_found' } }
  const { reference, fate, isDecided } = order
  if (fate === 'never_known') return { status: 503, body: { result: 'unknown' } }
  if (!isDecided) return { status: 200, body: { result: 'waiting' } }
  const code = fate === 'pending_then_fails' ? 48 : Number(fate.replace('fails_', ''))
  const error = Object.keys(FAILURES).find((each) => FAILURES[each] === code)
  if (error !== undefined) return { status: 200, body: { result: 'failed', error } }
  return { status: 200, body: { result: 'done', serial: `S-${reference}`, pin: '' } }
}

// ── The suite ──

async function openBench(): Promise<ProviderBench> {
  const books = openSupplierBooks()
  const supplier = await startSupplier((request) => readTask(books, request))
  const outbound = createOutbound({ allow: LOOPBACK })
  const kind = createSampleKind(outbound)
  const config = { base_url: supplier.url }
  return {
    provider: kind.create({ code: 'sample', config, secrets: { api_key: API_KEY } }),
    order: (fate) =>
      fate.startsWith('void_') ? cannotArrange(fate) : Promise.resolve(newOrder({ account: fate })),
    spoil: supplier.spoil,
    mend: supplier.mend,
    decide() {
      books.decideAll()
      return Promise.resolve()
    },
    countActs: (order) => Promise.resolve(books.countActs(order.reference)),
    secrets: [API_KEY],
    async close() {
      await supplier.close()
      await outbound.close()
    },
  }
}

describeProviderConformance('Sample', openBench, {
  voids: 'not written yet',
  void_approved: 'not written yet',
  void_refused: 'not written yet',
  bills: 'not written yet',
  options: 'not written yet',
  float: 'not written yet',
  callbacks: 'not written yet',
  health: 'not written yet',
})

it('a configuration is refused with the path of its mistake', () => {
  const outbound = createOutbound({ allow: LOOPBACK })
  expect(createSampleKind(outbound).check({}, { api_key: 'key' })).toMatchObject([{ path: 'base_url' }])
})
