import { formatMoney } from '../../../lib/money.ts'
import type { MemberPermission } from '../../accounts/members.rules.ts'
import { memberMay } from '../../accounts/members.rules.ts'
import type { RoomMessage } from '../../events/live/room.service.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import type { Interruption } from '../payments/overview.service.ts'
import type { AccountChanges, OwnChange } from './live.rules.ts'

const mayRead = (permission: MemberPermission) => ({
  isFor: (caller: MemberCaller) => memberMay(caller, permission),
})

/** Messages about everything but payments, each for whoever may read the page that is about it. */
export function changeMessages(changes: AccountChanges): RoomMessage<MemberCaller>[] {
  const { balance, threshold, hasNewCatalog, endedOrders, troubles, cases, refusals } = changes
  return [
    ...(balance === undefined ? [] : [{ event: 'balance', data: balanceView(balance, threshold) }]),
    ...troubles.map((each) => ({
      event: 'delivery',
      data: troubleView(each),
      ...mayRead('developers.read'),
    })),
    ...cases.map((each) => ({ event: 'case', data: caseChangeView(each), ...mayRead('cases.read') })),
    ...refusals.map((each) => ({ event: 'deposit', data: refusalView(each), ...mayRead('deposits.read') })),
    ...(endedOrders > 0 ? [{ event: 'order', data: { ended: endedOrders }, ...mayRead('orders.read') }] : []),
    ...(hasNewCatalog ? [{ event: 'catalog', data: {} }] : []),
  ]
}

function balanceView({ amount, at }: NonNullable<AccountChanges['balance']>, threshold: bigint | undefined) {
  return {
    currency: 'MYR',
    balance: formatMoney(amount),
    at: at.toISOString(),
    low: threshold === undefined ? null : formatMoney(threshold),
  }
}

function troubleView({ type, data, at }: OwnChange) {
  return {
    kind: type,
    stream: textOf(data.stream),
    delivery_id: data.jobId === undefined ? null : textOf(data.jobId),
    error: data.error === undefined ? null : textOf(data.error),
    at: at.toISOString(),
  }
}

function caseChangeView({ data, at }: OwnChange) {
  return {
    number: textOf(data.number),
    kind: textOf(data.kind),
    state: textOf(data.state),
    refid: textOf(data.refid),
    payment_id: textOf(data.transaction_id),
    at: at.toISOString(),
  }
}

function refusalView({ data, at }: OwnChange) {
  return { id: textOf(data.id), state: 'refused', at: at.toISOString() }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function interruptionsView(interruptions: readonly Interruption[]) {
  return {
    interruptions: interruptions.map(({ product, name, since }) => ({
      product,
      name,
      since: since.toISOString(),
    })),
  }
}
