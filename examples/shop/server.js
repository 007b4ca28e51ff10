// A small shop: forms from the catalogue, and one payment for each order, however often the button is pressed.
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import {
  buildPayment,
  createClient,
  InvalidPayment,
  isFinal,
  PaymentRejected,
  WarungError,
} from '@warung/sdk'
import { readCredentials } from '../credentials.js'
import { newOrderId, ORDER_ID, openOrders } from './orders.js'
import { formPage, listPage, orderPage, problemPage } from './pages.js'

const { PORT = '8080', SHOP_PRODUCTS = 'NOVA,KITA,NOVAD,PINTEN', SHOP_DATA } = process.env
const SOLD = SHOP_PRODUCTS.split(',')
const BODY_BYTES_MAX = 16_384

const client = createClient(readCredentials())
const orders = openOrders(SHOP_DATA ?? fileURLToPath(new URL('./orders', import.meta.url)))

async function optionsOf(product) {
  const lists = {}
  for (const { id, type } of product.fields) {
    if (type !== 'select') continue
    lists[id] = []
    for await (const option of client.optionsFor(product, id)) lists[id].push(option)
  }
  return lists
}

async function showProducts() {
  const { products } = await client.getCatalog()
  return { status: 200, html: listPage(SOLD.flatMap((code) => products[code] ?? [])) }
}

async function showForm(code) {
  if (!SOLD.includes(code)) return { status: 404, html: problemPage('We do not sell this.') }
  const product = await client.getProduct(code)
  return { status: 200, html: formPage(product, await optionsOf(product), newOrderId()) }
}

async function placeOrder(form) {
  const code = form.get('product') ?? ''
  const id = form.get('order') ?? ''
  if (!SOLD.includes(code)) return { status: 404, html: problemPage('We do not sell this.') }
  if (!ORDER_ID.test(id)) return { status: 400, html: problemPage('Please open the form again.') }
  const product = await client.getProduct(code)
  const options = await optionsOf(product)
  const values = Object.fromEntries(
    [...form].filter(([name]) => name.startsWith('field.')).map(([name, value]) => [name.slice(6), value]),
  )
  try {
    const account = form.get('account') ?? undefined
    const payment = buildPayment(product, values, { refid: id, account, options, allowTestAccounts: true })
    // Written before it is paid: after a crash the same payment is sent again, and is paid once.
    const order = orders.create({ id, productName: product.name, payment, state: 'Accepted' })
    await ask(order)
    return { status: 303, location: `/orders/${id}` }
  } catch (error) {
    if (!(error instanceof InvalidPayment)) throw error
    const page = formPage(product, options, id, { values, problems: error.problems })
    return { status: 400, html: page }
  }
}

/** Questions that are under way, by order. */
const asking = new Map()

/**
 * Sends the payment, or asks for its status: both are the same request. Returns the order as it is now. An order is asked
 * about once at a time: else the answer to an older question could be written over that to a newer one.
 */
function ask({ id }) {
  const known = asking.get(id)
  if (known !== undefined) return known
  const asked = askNow(orders.find(id)).finally(() => asking.delete(id))
  asking.set(id, asked)
  return asked
}

async function askNow(order) {
  if (isEnded(order)) return order
  try {
    const { status, sn, pin, voucherlink } = await client.pay(order.payment)
    return keep({ ...order, state: status, sn, pin, voucherlink })
  } catch (error) {
    if (error instanceof PaymentRejected) return keep({ ...order, state: 'Rejected', reason: error.message })
    // Nobody knows yet: the order stays open, and the next look asks again.
    if (error instanceof WarungError) return order
    throw error
  }
}

function isEnded({ state }) {
  return state === 'Rejected' || isFinal({ status: state })
}

function keep(order) {
  orders.save(order)
  return order
}

async function showOrder(id) {
  const order = orders.find(id)
  if (order === undefined) return { status: 404, html: problemPage('There is no such order.') }
  return { status: 200, html: orderPage(await ask(order)) }
}

async function answer(request) {
  const { pathname } = new URL(request.url, 'http://shop')
  const [, room = '', name = ''] = pathname.split('/').map(decodeURIComponent)
  if (request.method === 'POST' && pathname === '/orders') return placeOrder(await readForm(request))
  if (request.method !== 'GET') return { status: 405, html: problemPage('This cannot be done.') }
  if (pathname === '/') return showProducts()
  if (room === 'products') return showForm(name)
  if (room === 'orders' && ORDER_ID.test(name)) return showOrder(name)
  return { status: 404, html: problemPage('There is no such page.') }
}

async function readForm(request) {
  let text = ''
  for await (const chunk of request) {
    text += chunk
    if (text.length > BODY_BYTES_MAX) throw new Error('the form is too long')
  }
  return new URLSearchParams(text)
}

const server = createServer(async (request, response) => {
  const { status, html, location } = await answer(request).catch((error) => {
    console.error(error)
    return { status: 500, html: problemPage('This does not work now. Please try again.') }
  })
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
    ...(location !== undefined && { Location: location }),
  })
  response.end(html ?? '')
})

server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`The shop is open at http://127.0.0.1:${server.address().port}`)
})
