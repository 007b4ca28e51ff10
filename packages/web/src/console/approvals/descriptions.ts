import type { Approval } from '../../api/operator.generated.ts'
import type { Translated } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import type { IconName } from '../../ui/icon.tsx'
import type { APPROVALS } from './messages.ts'

type ApprovalText = Translated<(typeof APPROVALS)['en']>
export type Kind = Approval['kind']

/** Kinds as the API may send them; a newer service may know more than this page. */
export const ICONS: Readonly<Record<Kind, IconName>> = {
  deposit: 'wallet',
  adjustment: 'edit',
  deposit_request: 'bill',
  payment_resolution: 'clock',
  void: 'undo',
  rate_change: 'wallet',
  price_change: 'catalog',
  catalogue_change: 'inbox',
  offers_accept: 'catalog',
  route_change: 'route',
  route_removal: 'route',
  provider_switch: 'plug',
  provider_upgrade: 'plug',
  provider_products: 'plug',
  answer_meaning: 'edit',
  user_create: 'team',
  user_change: 'team',
  reseller_email: 'team',
  operator_create: 'team',
  operator_change: 'team',
}

export function iconOf(kind: Kind): IconName {
  return ICONS[kind] ?? 'check'
}

type Described = Pick<Approval, 'kind' | 'command'>

/** Sentence about what a request would do. undefined: the kind is unknown, and the command is shown as it is. */
export function sentenceOf({ kind, command }: Described, text: ApprovalText): string | undefined {
  const of = (name: string) => command[name] ?? ''
  const money = () => moneyText(of('amount'), 'MYR')
  switch (kind) {
    case 'deposit':
      return text.does.deposit(money(), of('account'))
    case 'adjustment':
      return text.does.adjustment(money(), of('account'))
    case 'deposit_request':
      return text.does.depositRequest(money(), of('account'), of('deposit_request'))
    case 'payment_resolution':
      return of('as') === 'succeeded'
        ? text.does.succeeded(of('payment_id'))
        : text.does.failed(of('payment_id'))
    case 'void':
      return text.does.void(of('case'), of('payment_id'))
    case 'rate_change':
      return text.does.rate(of('currency'), of('rate'), of('from') || text.does.rateNow)
    case 'price_change':
      return priceSentence(of, text)
    case 'catalogue_change':
      return text.does.import(of('content_type') === '' ? 'JSON' : of('content_type'))
    case 'offers_accept':
      return text.does.offers(of('ids').split(' ').length, of('provider'))
    case 'route_change':
      return text.does.route(of('product'), of('provider'))
    case 'route_removal':
      return of('to_any') === 'true'
        ? text.does.removalToAny(of('provider'))
        : text.does.removal(of('product'), of('provider'))
    case 'provider_switch':
      return text.does.on(of('code'))
    case 'provider_upgrade':
      return text.does.upgrade(of('code'), of('from'), of('to'))
    case 'provider_products':
      return text.does.products(of('code'))
    case 'answer_meaning':
      return text.does.meaning(of('code'), of('value'), of('path'), of('outcome'))
    case 'user_create':
      return text.does.newUser(
        of('username'),
        of('email'),
        of('account'),
        text.roles[of('role')] ?? of('role'),
      )
    case 'user_change':
      return text.does.user(of('username'), of('email'), of('account'), widened(of, text))
    case 'reseller_email':
      return text.does.address(of('account'), of('from'), of('email'))
    case 'operator_create':
      return text.does.newOperator(of('name'), of('email'), text.roles[of('role')] ?? of('role'))
    case 'operator_change':
      return text.does.operator(of('name'), of('email'), widened(of, text))
    default:
      return undefined
  }
}

/** Says what a login gets: a role, being let in again, or both. */
function widened(of: (name: string) => string, text: ApprovalText): string {
  const role = of('role') === '' ? [] : [text.getsRole(text.roles[of('role')] ?? of('role'))]
  return [...(of('status') === 'active' ? [text.letInAgain] : []), ...role].join(text.and)
}

function priceSentence(of: (name: string) => string, text: ApprovalText): string {
  const type = of('discount_type')
  if (type === 'none') return text.does.noPrice(of('product'), of('level'))
  const price =
    type === 'percentage'
      ? text.percentage(of('value'))
      : text.fixed(moneyText(of('value'), of('currency') === '' ? 'MYR' : of('currency')))
  return text.does.price(of('product'), of('level'), price)
}

/** Title of a request in a list that does not carry its command. */
export function shortOf({ kind, target }: Pick<Approval, 'kind' | 'target'>, text: ApprovalText): string {
  const say = text.short[kind] as ((id: string) => string) | undefined
  return say?.(target.id) ?? `${kind} ${target.id}`
}

/** Members of a command that a sentence above does not say, in the order in which a decider needs them. */
export const SHOWN_MEMBERS = [
  'evidence',
  'serial_number',
  'pin',
  'reference',
  'remarks',
  'settings',
  'products',
  'differences',
  'failure',
  'operation',
  'sample',
  'comparison',
  'loss_last_month',
] as const

type PageTarget = { readonly to: string; readonly label: string }

/** Page of the thing that a request is about. */
export function subjectOf(
  { kind, target, command }: Pick<Approval, 'kind' | 'target' | 'command'>,
  text: ApprovalText,
): PageTarget | undefined {
  const coded = (name: string) => encodeURIComponent(command[name] ?? '')
  switch (kind) {
    case 'payment_resolution':
      return { to: `/operator/payments/${coded('payment_id')}`, label: text.open.payment }
    case 'void':
      return { to: `/operator/cases/${coded('case')}`, label: text.open.case }
    case 'deposit':
    case 'adjustment':
      return { to: `/operator/resellers/${coded('account')}`, label: text.open.wallet }
    case 'user_create':
    case 'user_change':
    case 'reseller_email':
      return { to: `/operator/resellers/${coded('account')}`, label: text.open.reseller }
    case 'operator_create':
    case 'operator_change':
      return { to: '/operator/people', label: text.open.operators }
    case 'deposit_request':
      return { to: '/operator/deposits', label: text.open.deposits }
    case 'price_change':
      return { to: `/operator/levels/${coded('level')}`, label: text.open.price_level }
    case 'offers_accept':
    case 'route_change':
    case 'route_removal':
      return { to: `/operator/providers/${coded('provider')}`, label: text.open.provider }
    case 'provider_switch':
    case 'provider_upgrade':
    case 'provider_products':
    case 'answer_meaning':
      return { to: `/operator/providers/${encodeURIComponent(target.id)}`, label: text.open.provider }
    default:
      return undefined
  }
}
