import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createReseller } from '../packages/server/dist/modules/accounts/service.js'
import { applyBase } from '../packages/server/dist/modules/catalog/edit/base.service.js'
import { changeOverlay } from '../packages/server/dist/modules/catalog/edit/overlays.service.js'
import { loadBase } from '../packages/server/dist/modules/catalog/store/load.service.js'
import { startBareHandler, startBareRoute } from './bare.js'
import { load, ratioRow, row, sideBySide } from './measure.js'
import { startService } from './service.js'

// Same number as in the edge's suite: the group commit of nonces needs concurrent requests.
const CONNECTIONS = 128
const ROUNDS = 5
const WANTED = { route: 0.95, handler: 0.75 }
const PRODUCTS_LARGE = 1_000
const RESELLERS = 2_000
const OVERLAYS = 500
const CHANGE_WITHIN_SECONDS = 5
const RESIDENT_MAX_MB = 700

/** Compares one operation with a bare route and a bare handler that send the same bytes. */
async function compare(print, service, name, path, shape) {
  const url = `${service.baseUrl}${path}`
  const bytes = Buffer.from(
    await (await fetch(url, { headers: signed(service.credentials, path) })).arrayBuffer(),
  )
  const route = await startBareRoute(service.credentials, bytes)
  const handler = await startBareHandler(service.credentials, bytes)
  const orders = { ...service.credentials, ...shape }
  try {
    const query = path.includes('?') ? path.slice(path.indexOf('?')) : ''
    const results = await sideBySide(
      {
        handler: () => load({ ...orders, url: `${handler.url}${query}` }),
        route: () => load({ ...orders, url: `${route.url}${query}` }),
        ours: () => load({ ...orders, url }),
      },
      { rounds: ROUNDS },
    )
    const size = `${(bytes.length / 1024).toFixed(0)} kB`
    print(row(`bare node:http, ${size}`, results.handler))
    print(row(`bare route, ${size}`, results.route))
    print(row(name, results.ours))
    print(ratioRow(results, 'ours', 'route', WANTED.route))
    print(ratioRow(results, 'ours', 'handler', WANTED.handler))
  } finally {
    await handler.stop()
    await route.stop()
  }
}

function signed({ apiKey, signingSecret }, path) {
  const timestamp = Math.floor(Date.now() / 1000)
  const nonce = randomUUID()
  const query = path.split('?')[1] ?? ''
  const bodyHash = createHash('sha256').update('').digest('base64')
  const canonical = `v1:${timestamp}:${nonce}:GET:${query}:${bodyHash}`
  const signature = createHmac('sha256', Buffer.from(signingSecret, 'base64'))
    .update(canonical)
    .digest('base64')
  return {
    'X-Api-Key': apiKey,
    'X-Timestamp': String(timestamp),
    'X-Nonce': nonce,
    'X-Signature': `v1=${signature}`,
    // Uncompressed bytes: Node's fetch would ask for compressed ones.
    'Accept-Encoding': 'identity',
  }
}

async function addProducts(database) {
  const { products, options } = await loadBase(database)
  const model = products.find(({ code }) => code === 'NOVA')
  const modelOptions = options.get('NOVA')?.get('amount') ?? []
  const codes = Array.from({ length: PRODUCTS_LARGE - products.length }, (_, index) => `BENCH${index}`)
  const price = { discountType: 'percentage', unitPrice: 97_000_000n, currency: 'MYR' }
  await applyBase(
    database,
    {
      products: codes.map((code, index) => ({
        ...model,
        code,
        displayOrder: 1_000 + index,
        fields: model.fields.map((field) =>
          field.dataSource === undefined ? field : withSource(field, code),
        ),
      })),
      options: codes.flatMap((code) =>
        modelOptions.map((option) => ({
          ...option,
          productCode: code,
          code: `${code}${option.denomination}`,
        })),
      ),
      prices: codes.map((productCode) => ({ levelCode: 'STANDARD', productCode, price })),
    },
    'bench',
  )
}

function withSource(field, code) {
  const params = { ...field.dataSource.params, product_code: { static: code } }
  return { ...field, dataSource: { ...field.dataSource, params } }
}

async function addResellers(service) {
  const { database, vault } = service.runtime
  const accounts = { database, vault, environment: 'staging' }
  const ids = []
  for (let index = 0; index < RESELLERS; index += 1) {
    const email = `bench${index}@example.com`
    ids.push((await createReseller(accounts, { name: `Bench ${index}`, email, priceLevel: 'STANDARD' })).id)
  }
  for (const [index, id] of ids.slice(0, OVERLAYS).entries()) {
    const products = ['NOVA', 'KITA', 'GEMS'].map((code) => ({
      code,
      categoryCode: null,
      displayName: `${code} of ${index}`,
      imageUrl: null,
      displayOrder: null,
      isEnabled: true,
      adjustment: { type: 'fixed', value: BigInt(1_000 + index) },
      minAmount: null,
      maxAmount: null,
    }))
    await changeOverlay(database, id, { products }, 'bench')
  }
  return ids
}

/** Measures a change of the base catalog after every account has read its catalog, while requests go on. */
async function followChange(print, service) {
  const ids = await addResellers(service)
  const { catalog } = service.app
  await catalog.refresh()
  const readers = ids.map((id) => ({ id, priceLevel: 'STANDARD' }))
  const touchAll = () =>
    readers.map((reader) => catalog.snapshotFor(reader).products.get('NOVA').product.note)
  touchAll()
  const going = load({
    ...service.credentials,
    connections: 16,
    requests: 20_000,
    url: `${service.baseUrl}/v2/catalog`,
  })
  const base = await loadBase(service.runtime.database)
  const product = { ...base.products.find(({ code }) => code === 'NOVA'), note: `changed ${randomUUID()}` }
  const startedAt = performance.now()
  await applyBase(service.runtime.database, { products: [product] }, 'bench')
  while (!touchAll().every((note) => note === product.note))
    await new Promise((resolve) => setTimeout(resolve, 10))
  const seconds = (performance.now() - startedAt) / 1000
  const { perSecond } = await going
  const residentMb = process.memoryUsage().rss / 1024 / 1024
  print(`  ${RESELLERS} resellers, ${OVERLAYS} with overlays, ${base.products.length} products:`)
  print(
    `  a base change reached all of them in ${seconds.toFixed(2)} s (wanted: ${CHANGE_WITHIN_SECONDS}), with ${perSecond.toFixed(0)} requests/s going on`,
  )
  print(`  resident memory ${residentMb.toFixed(0)} MB (wanted: under ${RESIDENT_MAX_MB})`)
}

export default {
  name: 'catalog',
  summary:
    'catalogue and options from memory, beside a bare route and a bare node:http handler that send the same bytes',
  async run(print) {
    const service = await startService()
    const billers = '/v2/options?field_id=biller&limit=25000&product_code=BILLPAY'
    try {
      await compare(print, service, 'GET /v2/catalog, demo', '/v2/catalog', {
        connections: CONNECTIONS,
        requests: 8_000,
      })
      await compare(print, service, 'GET /v2/options, 21,500 billers', billers, {
        connections: 16,
        requests: 400,
      })
      await addProducts(service.runtime.database)
      await service.app.catalog.refresh()
      await compare(print, service, `GET /v2/catalog, ${PRODUCTS_LARGE} products`, '/v2/catalog', {
        connections: 32,
        requests: 1_500,
      })
      await followChange(print, service)
    } finally {
      await service.stop()
    }
  },
}
