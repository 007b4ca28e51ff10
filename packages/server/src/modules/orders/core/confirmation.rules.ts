import { fieldErrorsOf } from '../../../lib/errors.ts'
import type { Amount } from '../../../lib/money.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { Judgement } from '../../payments/core/types.ts'
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
 * Decides whether the basket of an order can be bought now: each line can be, at a cost that its price covers. Throws the
 * first of these problems, with every line that has it. Confirming again later is safe after each of them. Returns the
 * costs of one unit of each line.
 */
export function judgeConfirmation(
  lines: readonly JudgedLine[],
  { acceptsLoss }: { readonly acceptsLoss: boolean },
): Amount[] {
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
  return costs.map(({ cost }) => cost)
}

/** Sums up the costs of a basket; `costs` are those of one unit of each line. */
function totalCost(lines: readonly Pick<OrderLine, 'quantity'>[], costs: readonly Amount[]): Amount {
  return lines.reduce((sum, { quantity }, index) => sum + (costs[index] ?? 0n) * BigInt(quantity), 0n)
}

/** Builds the refusal of an order that costs more than the wallet holds for it. */
export function insufficientBalance(
  lines: readonly Pick<OrderLine, 'quantity'>[],
  costs: readonly Amount[],
  available: Amount,
) {
  const extra = {
    needed: formatMoney(totalCost(lines, costs)),
    balance: formatMoney(available > 0n ? available : 0n),
  }
  return orderProblem('insufficient_balance', { extra })
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
