import type { Queryable } from '../../../db/database.ts'
import { listConnections } from '../connections/connections.service.ts'
import type { Silence } from './answers.rules.ts'
import { judgeSilence } from './answers.rules.ts'
import { listAnswers, sumTaken } from './answers.sql.ts'

type Orders = { readonly good: number; readonly ended: number }

/** Answers of one provider that takes orders, and how they were before. */
export type ProviderAnswers = {
  readonly provider: string
  readonly silence: Silence
  /** Orders that succeeded or were taken, and all: of the last hour, and of the week before it. */
  readonly recent: Orders
  readonly week: Orders
}

const NONE: Orders = { good: 0, ended: 0 }

/** Reads the providers with orders in the last week, without those that are switched off. */
export async function readAnswers(connection: Queryable): Promise<ProviderAnswers[]> {
  const connections = await listConnections(connection)
  const off = new Set(connections.filter(({ isEnabled }) => !isEnabled).map(({ code }) => code))
  const intervals = await listAnswers(connection)
  const sums = await sumTaken(connection)
  const providers = [...new Set(sums.map(({ provider }) => provider))].filter((code) => !off.has(code))
  return providers.toSorted().map((provider) => {
    const ordersOf = (isRecent: boolean): Orders => {
      const row = sums.find((each) => each.provider === provider && each.is_recent === isRecent)
      return row === undefined ? NONE : { good: row.taken, ended: row.orders }
    }
    const own = intervals.filter((each) => each.provider === provider)
    return {
      provider,
      silence: judgeSilence(own.map(({ age_ms: ageMs, orders, answered }) => ({ ageMs, orders, answered }))),
      recent: ordersOf(true),
      week: ordersOf(false),
    }
  })
}
