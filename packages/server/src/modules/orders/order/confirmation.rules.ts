import { fieldErrorsOf } from '../../../lib/errors.ts'
import type { Amount } from '../../../lib/money.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { Judgement } from '../../payments/payment/types.ts'
import { problemsOf } from './items.rules.ts'
import { orderProblem } from './problems.rules.ts'
import type { OrderLine } from './types.ts'

/** Line with its present judgement; undefined: a supplier had to be asked, and did not answer. */
export type JudgedLine = {
  readonly line: Pick<OrderLine, 'line' | 'quantity' | 'unitPrice'>
  readonly judgement: Judgement | undefined
}

const NOT_CHECKED = 'Its supplier did not answer. Confirm again later.'

/**
 * Decides whether an order can be confirmed now: each line can be bought, at a cost that its price covers, and the
 * wallet holds the costs of all. Throws the first of these problems, with every line that has it. Confirming again later
 * is safe after each of them.
 */
export function judgeConfirmation(
  lines: readonly JudgedLine[],
  { balance, acceptsLoss }: { readonly balance: Amount; readonly acceptsLoss: boolean },
): void {
  const unavailable = lines.flatMap(({ line, judgement }): [string, string][] => {
    const path = `items.${line.line - 1}`
    if (judgement === undefined) return [[path, NOT_CHECKED]]
    return judgement.kind === 'rejected' ? problemsOf(judgement.rejection, path) : []
  })
  if (unavailable.length > 0) throw orderProblem('item_unavailable', { fields: fieldErrorsOf(unavailable) })
  const costs = lines.map(({ line, judgement }) => ({
    ...line,
    cost: judgement?.kind === 'accepted' ? judgement.decision.cost : 0n,
  }))
  const losses = costs.filter(({ cost, unitPrice }) => cost > unitPrice)
  if (losses.length > 0 && !acceptsLoss) throw costAbovePrice(losses)
  const needed = costs.reduce((sum, { cost, quantity }) => sum + cost * BigInt(quantity), 0n)
  if (needed > balance) {
    throw orderProblem('insufficient_balance', {
      extra: { needed: formatMoney(needed), balance: formatMoney(balance) },
    })
  }
}

function costAbovePrice(losses: readonly { line: number; cost: Amount; unitPrice: Amount }[]) {
  const text = (cost: Amount, price: Amount) =>
    `costs ${formatMoney(cost)} now, and its price is ${formatMoney(price)}`
  return orderProblem('cost_above_price', {
    fields: fieldErrorsOf(
      losses.map(({ line, cost, unitPrice }) => [`items.${line - 1}`, text(cost, unitPrice)]),
    ),
    extra: {
      items: losses.map(({ line, cost, unitPrice }) => ({
        line,
        cost: formatMoney(cost),
        unit_price: formatMoney(unitPrice),
      })),
    },
  })
}
