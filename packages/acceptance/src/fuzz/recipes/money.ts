import { signed } from '../../http.ts'
import { createOrder } from '../../orders.ts'
import type { PaymentData } from '../../payments.ts'
import { advanceClock, createPayer, reload } from '../../payments.ts'
import type { Listed } from '../../portal/members.ts'
import { dataOf } from '../../portal/members.ts'
import { slipOf } from '../../portal/slips.ts'
import { until } from '../../service.ts'
import { browserActor } from '../actors.ts'
import type { Target } from '../target.ts'
import type { Recipe, Recipes } from './recipe.ts'
import { payAt, payBillAt } from './shop.ts'
import { memberOf, programOf, staffOf } from './staff.ts'

// Payments, cases, transfers, approvals and orders in the state in which the request may change them.

const reason = 'fuzz'

/** Prepares a request of an operator about one thing. */
function decided(
  make: (target: Target) => Promise<Record<string, string>>,
  body: object = { reason },
): Recipe {
  return async (target) => {
    // Nobody decides about a request that is older than their own account.
    const actor = await target.actors.get('operator')
    return { actor, path: await make(target), body }
  }
}

async function transferOf({ shop }: Target): Promise<{ id: string }> {
  const body = slipOf(`T-${performance.now()}`)
  return { id: dataOf<{ id: string }>(await shop.member.send('POST', '/deposit-requests', body)).id }
}

async function approvalOf(target: Target): Promise<{ id: string }> {
  const { account } = target.shop.subscriber
  const asked = { account, amount: '5.00', remarks: 'bank', reason }
  const finance = await staffOf(target, 'finance')
  return { id: dataOf<{ id: string }>(await finance.send('POST', '/deposits', asked)).id }
}

async function caseOf({ shop }: Target, kind: 'check' | 'void'): Promise<{ number: string }> {
  const { transaction_id: trxid } = await (kind === 'void' ? payBillAt(shop) : payAt(shop))
  const opened = await shop.subscriber.call('POST', `/v2/transactions/${kind}`, { trxid, refund_type: 1 })
  const number = /C-\d{4}-\d+/.exec(opened.text)?.[0]
  if (number === undefined) throw new Error(`no case was opened: ${opened.status} ${opened.text}`)
  return { number }
}

const dispute = (target: Target) => caseOf(target, 'check')
const orderOf = async ({ service, shop }: Target) => (await createOrder(service, shop.subscriber)).order_id

/** Account for which the simulator takes the order and never answers. */
const NEVER_ANSWERS = '60123453003'
const STUCK_SECONDS = 900

async function stuckOf(target: Target): Promise<{ id: string }> {
  const payer = await createPayer(target.service, '100')
  const { transaction_id: id }: PaymentData = await payer.untilStatus(
    reload({ account: NEVER_ANSWERS }),
    'Processing',
  )
  const support = await staffOf(target, 'support')
  await until('the payment is on the list of stuck ones', async () => {
    await advanceClock(target.service, payer.account, STUCK_SECONDS)
    const { data } = (await support.get('/stuck-payments?limit=1000')).json<Listed>()
    return data.some((each) => each.id === id)
  })
  return { id }
}

/** Lets a request of the shop be refused for its signature; returns its row in the log. */
async function refusedOf({ service, shop }: Target): Promise<{ id: string }> {
  const wrong = { ...shop.subscriber.credentials, secretBase64: Buffer.alloc(32).toString('base64') }
  const refused = await signed(service.baseUrl, wrong, { path: '/v2/balance' })
  const id = await until('the request is in the log', async () => {
    const page = await shop.member.get('/request-log?limit=20&error=invalid_signature')
    const row = page.json<Listed>().data.find((each) => each.request_id === refused.headers['x-request-id'])
    return row?.id
  })
  return { id }
}

export const MONEY: Recipes = {
  confirmOrder: async (target) => ({
    actor: programOf(target),
    path: { order_id: await orderOf(target) },
    body: { payment_reference: 'bank-1' },
  }),
  portalConfirmOrder: async (target) => ({
    actor: memberOf(target),
    path: { order_id: await orderOf(target) },
    body: { payment_reference: 'bank-1' },
  }),
  portalCancelOrder: async (target) => ({
    actor: memberOf(target),
    path: { order_id: await orderOf(target) },
  }),
  portalGetOrder: async (target) => ({ actor: memberOf(target), path: { order_id: await orderOf(target) } }),
  getResellerOrder: decided(async (target) => ({ order_id: await orderOf(target) })),
  portalGetPayment: async (target) => {
    const { transaction_id: id } = await payAt(target.shop)
    return { actor: memberOf(target), path: { id } }
  },
  portalOpenDispute: async (target) => {
    const { refid } = await payAt(target.shop)
    return { actor: memberOf(target), body: { refid } }
  },
  portalOpenVoid: async (target) => {
    const { refid } = await payBillAt(target.shop)
    return { actor: memberOf(target), body: { refid, refund_type: 1 } }
  },
  getCase: async (target) => ({ actor: programOf(target), path: await dispute(target) }),
  portalGetCase: async (target) => ({ actor: memberOf(target), path: await dispute(target) }),
  portalGetRequest: async (target) => ({ actor: memberOf(target), path: await refusedOf(target) }),
  portalCompareCanonical: async (target) => ({ actor: memberOf(target), path: await refusedOf(target) }),
  portalWithdrawDeposit: async (target) => ({ actor: memberOf(target), path: await transferOf(target) }),
  portalGetDepositRequest: async (target) => ({ actor: memberOf(target), path: await transferOf(target) }),
  portalGetDepositSlip: async (target) => ({ actor: memberOf(target), path: await transferOf(target) }),
  getDepositRequestSlip: decided(transferOf),
  acceptDepositRequest: decided(transferOf),
  refuseDepositRequest: decided(transferOf),
  approveApproval: decided(approvalOf),
  refuseApproval: decided(approvalOf),
  withdrawApproval: async (target) => {
    const path = await approvalOf(target)
    const finance = await staffOf(target, 'finance')
    return { actor: browserActor(target.service, finance, {}), path, body: { reason } }
  },
  takeCase: decided(dispute),
  writeCaseMessage: decided(dispute, { message: 'We ask the supplier.' }),
  refuseCase: decided(dispute, { message: 'It was delivered.' }),
  resolveCase: decided(dispute, { message: 'It was delivered.' }),
  approveCase: decided((target) => caseOf(target, 'void'), { evidence: 'mail of the biller', reason }),
  resolvePayment: decided(stuckOf, { as: 'failed', evidence: 'said on the phone', reason }),
}
