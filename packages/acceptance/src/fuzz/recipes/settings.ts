import { signed } from '../../http.ts'
import { createPayer } from '../../payments.ts'
import { dataOf, newMember } from '../../portal/members.ts'
import { browserActor } from '../actors.ts'
import type { Target } from '../target.ts'
import type { Prepared, Recipes } from './recipe.ts'
import { memberOf, programOf, staffOf } from './staff.ts'

// Things that have to be set up before they can be changed or taken away.

const reason = 'fuzz'

/** Makes an endpoint that operators may pause, of a reseller of its own. */
async function endpointOf({ service, actors }: Target): Promise<Prepared> {
  const { account, credentials } = await createPayer(service, null)
  const json = { url: 'https://receiver.example/hook' }
  await signed(service.baseUrl, credentials, { method: 'PUT', path: '/v2/balance-webhook', json })
  const path = { account, stream: 'balance' }
  return { actor: await actors.get('operator'), path, body: { reason } }
}

/** Makes a key that the shop does not need. */
async function keyOf(target: Target): Promise<Prepared> {
  const { member } = target.shop
  const { password } = member
  const made = await member.send('POST', '/api-keys', { label: 'till', password })
  return { actor: memberOf(target), path: { id: dataOf<{ id: string }>(made).id }, body: { password } }
}

/** Makes a key that an operator then lets do less. */
async function narrowedKeyOf({ service, actors }: Target): Promise<Prepared> {
  const { account } = await createPayer(service, null)
  const key = ['--reseller', account, '--daily-cap', '50']
  const { id } = await service.warungd<{ id: string }>('key', 'create', ...key)
  const body = { daily_cap: '20.00', reason }
  return { actor: await actors.get('operator'), path: { account, id }, body }
}

/** Makes the notice that an operator then ends. */
async function noticeOf(target: Target): Promise<string> {
  const body = { target: 'product', code: 'KOPI', message: 'Slow', reason }
  return dataOf<{ id: string }>(await (await staffOf(target, 'catalogue')).send('POST', '/notices', body)).id
}

/** Bill and options that the simulator knows: the fuzzer's own supplier shows others as it likes. */
const BILL = { product: 'BILLPAY', account: '100200300', biller_code: '15835', amount: '50' }
const BILLERS = { product_code: 'BILLPAY', field_id: 'biller' }

export const SETTINGS: Recipes = {
  getBillPresentment: async (target) => ({ actor: programOf(target), query: BILL }),
  portalGetBill: async (target) => ({ actor: memberOf(target), query: BILL }),
  checkoutGetBill: async ({ actors }) => ({ actor: await actors.get('checkout'), query: BILL }),
  portalGetSellOptions: async (target) => ({ actor: memberOf(target), query: BILLERS }),
  checkoutGetOptions: async ({ actors }) => ({ actor: await actors.get('checkout'), query: BILLERS }),
  getOptions: async (target) => ({
    actor: programOf(target),
    query: { product_code: 'KOPI', field_id: 'amount' },
  }),
  listSubProducts: async (target) => ({
    actor: programOf(target),
    query: { product_code: 'NOVAD', account_number: '60123456789' },
  }),
  portalChangeEndpoint: async (target) => ({
    actor: memberOf(target),
    path: { stream: 'balance' },
    body: { enabled: true, types: ['balance.added', 'balance.refunded'] },
  }),
  narrowResellerKey: narrowedKeyOf,
  portalRevokeKey: keyOf,
  portalChangeKey: keyOf,
  portalRotateKey: keyOf,
  enableBalanceWebhook: async (target) => ({ actor: programOf(target), body: { enabled: true } }),
  enableCatalogWebhook: async (target) => ({ actor: programOf(target), body: { enabled: true } }),
  enableOrderWebhook: async (target) => ({ actor: programOf(target), body: { enabled: true } }),
  portalRemoveThreshold: async (target) => {
    await target.shop.member.send('POST', '/thresholds', { amount: '80.00' })
    return { actor: memberOf(target), query: { amount: '80.00' } }
  },
  // The account is a new one: it is closed to all other addresses from now on.
  portalDisallowNetwork: async ({ service }) => {
    const { account } = await createPayer(service, null)
    const member = await newMember(service, account, 'admin')
    const { password } = member
    const network = '203.0.113.9/32'
    dataOf(await member.send('POST', '/ip-allowlist', { networks: [network], password }))
    const actor = browserActor(service, member, { own_password: password })
    return { actor, query: { network }, body: { password } }
  },
  getEndpoint: endpointOf,
  pauseEndpoint: endpointOf,
  resumeEndpoint: async (target) => {
    const prepared = await endpointOf(target)
    const support = await staffOf(target, 'support')
    const { account, stream } = prepared.path ?? {}
    dataOf(await support.send('POST', `/endpoints/${account}/${stream}/pause`, { reason }))
    return prepared
  },
  clearAlert: async ({ database, actors }) => {
    const { rows } = await database.query<{ id: string }>(
      `insert into operator_alerts (kind, subject, text, severity, raised_at, last_seen_at, times)
       values ('float_low', 'FUZZ' || clock_timestamp(), 'low', 'warning', now(), now(), 1) returning id::text as id`,
    )
    return { actor: await actors.get('operator'), path: { id: rows[0]?.id ?? '' }, body: { reason } }
  },
  endNotice: async (target) => ({
    actor: await target.actors.get('operator'),
    path: { id: await noticeOf(target) },
    body: { reason },
  }),
  importCatalogue: async (target) => {
    const document = { levels: [{ code: 'LAIN', name: `Lain ${Math.floor(performance.now())}` }] }
    const catalogue = await staffOf(target, 'catalogue')
    const preview = await catalogue.send('POST', '/catalogue/preview', { document })
    const { version } = dataOf<{ summary: { version: number } }>(preview).summary
    const body = { document, expected_version: version, reason }
    return { actor: await target.actors.get('operator'), body }
  },
  setRoute: async ({ actors }) => {
    const path = { product: 'KOPI', provider: 'gudang' }
    return { actor: await actors.get('operator'), path, body: { priority: 2, reason } }
  },
  listCatalogueOptions: async ({ actors }) => ({
    actor: await actors.get('operator'),
    path: { code: 'NOVAD' },
    query: {},
  }),
  removeRoute: async ({ service, actors }) => {
    await service.warungd('route', 'set', '--product', 'KOPI', '--provider', 'gudang')
    const path = { product: 'KOPI', provider: 'gudang' }
    return { actor: await actors.get('operator'), path, body: { to_any: true, reason } }
  },
}
