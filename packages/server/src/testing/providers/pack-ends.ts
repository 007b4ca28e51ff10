import type { Database } from '../../db/database.ts'
import type { IntakeCommand } from '../../modules/payments/take/intake.types.ts'
import type { BookOrder } from '../../modules/providers/books/types.ts'

/** How a payment ended, or where it waits. */
export type Ending = {
  readonly id: bigint
  readonly refid: string
  readonly code: number
  /** References under which the supplier got it, where it wanted a form of its own. */
  readonly references: readonly string[]
  /** True: it is past its due time, so that it is on the operators' list. */
  readonly is_stuck: boolean
  readonly alerts: readonly string[]
  readonly hasCase: boolean
}

export type PackFigures = {
  readonly payments: number
  readonly succeeded: number
  readonly failed: number
  readonly withAPerson: number
  readonly cases: number
  /** Orders that the supplier got. */
  readonly orders: number
  readonly troubles: number
  readonly kills: number
}

export async function readEndings(database: Database, resellerId: bigint): Promise<Ending[]> {
  const { rows } = await database.query<Ending>(
    `select p.id, p.refid, p.code,
            coalesce((select array_agg(s.reference) from payment_supplier_references s
                       where s.reseller_id = p.reseller_id and s.payment_id = p.id and s.reference is not null), '{}')
              as "references",
            exists (select from payment_work w
                     where w.reseller_id = p.reseller_id and w.payment_id = p.id and w.due_at < now()) as is_stuck,
            coalesce((select array_agg(a.kind) from operator_alerts a
                       where a.subject = p.id::text or a.subject like 'W' || p.id || '-%'), '{}') as alerts,
            exists (select from cases c where c.reseller_id = p.reseller_id and c.payment_id = p.id) as "hasCase"
       from payments p where p.reseller_id = $1 order by p.id`,
    [resellerId],
  )
  return rows
}

export type Books = {
  readonly orders: readonly BookOrder[]
  /** References that the next supplier delivered. */
  readonly elsewhere: ReadonlySet<string>
  /** References of which the supplier said at the end that there is news, so that it was asked once more. */
  readonly called: ReadonlySet<string>
}

/**
 * Compares the ends with the books of both suppliers: nothing lost, nothing doubled, nothing decided that no supplier said,
 * and every uncertain payment with a person.
 */
export function violationsOf(
  endings: readonly Ending[],
  commands: readonly IntakeCommand[],
  { orders, elsewhere, called }: Books,
): string[] {
  const found: string[] = []
  const byRefid = new Map(endings.map((ending) => [ending.refid, ending]))
  for (const { request } of commands) {
    if (!byRefid.has(request.refid)) found.push(`${request.refid} was taken and is lost`)
  }
  const known = new Set<BookOrder>()
  for (const ending of endings) {
    const own = orders.filter(({ reference }) => isOf(ending, reference))
    for (const order of own) known.add(order)
    const isTakenBack = own.some(
      ({ reference, scenario }) => called.has(reference) && scenario.expect.final === 'reversed',
    )
    if (isTakenBack && ending.code === 20 && !ending.hasCase) {
      found.push(`payment ${ending.id} was taken back by its supplier, and has no case`)
    }
    found.push(
      ...problemsOf(ending, own, [...elsewhere].filter((reference) => isOf(ending, reference)).length),
    )
  }
  for (const order of orders) {
    if (!known.has(order)) found.push(`the supplier has ${order.reference}, and no payment does`)
  }
  return found
}

function isOf({ id, references }: Ending, reference: string): boolean {
  return reference.startsWith(`W${id}-`) || references.includes(reference)
}

function problemsOf(ending: Ending, own: readonly BookOrder[], delivered: number): string[] {
  const { id, code, is_stuck: isStuck, alerts } = ending
  const acts = own.reduce((sum, order) => sum + order.acts, 0) + delivered
  const isReversed = own.some(({ scenario }) => scenario.expect.final === 'reversed')
  const names = own.map(({ scenario, reference, acts: each }) => `${reference} ×${each} (${scenario.name})`)
  const say = (text: string) => [
    `payment ${id}: ${text}; ${names.join(', ') || 'no order'}, elsewhere ${delivered}`,
  ]
  if (acts > 1) return say(`delivered ${acts} times`)
  if (code <= 1 && !isStuck && alerts.length === 0) return say('undecided, and no person is told')
  if (code === 20 && acts === 0) return say('succeeded, and nobody delivered it')
  const isElsewhere = own.length > 0 && own.every(({ scenario }) => scenario.expect.final === 'elsewhere')
  if (code > 1 && code !== 20 && isElsewhere)
    return say(`failed with ${code}, and the next supplier was free`)
  if (code > 1 && code !== 20 && acts > 0 && !isReversed)
    return say(`failed with ${code}, and it was delivered`)
  return []
}
