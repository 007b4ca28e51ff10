import type { Reader } from '../../db/standby/reader.ts'
import type { Answer, Authenticate, Encoded } from '../../http/operation.ts'
import type { DayRange } from '../../lib/dates.ts'
import type { Turns } from '../../lib/turns.ts'
import type { Reseller } from '../accounts/types.ts'
import type { Comparisons } from './compare.service.ts'

// Operators ask about any reseller, members about their own: the operations are the same.

export type Owner = Pick<Reseller, 'id' | 'account' | 'name'>

/** Table that is sent while it is read. */
export type Table = {
  readonly name: string
  readonly days: DayRange
  readonly columns: readonly string[]
  readonly pages: () => AsyncIterable<readonly (readonly string[])[]>
  readonly cells: (row: readonly string[]) => readonly string[]
}

/** Differences between the operators' API and the members' API. */
export type FinanceApi<Caller> = {
  readonly prefix: string
  readonly operationIds: {
    readonly month: string
    readonly csv: string
    readonly pdf: string
    readonly compare: string
  }
  readonly tag: string
  readonly mayRead: Authenticate<Caller>
  readonly mayCompare: Authenticate<Caller>
  readonly ownerOf: (caller: Caller, account: string | undefined) => Promise<Owner>
  readonly send: (
    owner: Owner,
    table: Table,
    isAwaited: (() => boolean) | undefined,
  ) => Promise<Answer<Encoded>>
  /** Turns in which statements are opened. If omitted, the API makes its own turns. */
  readonly reads?: Turns
  readonly database: Pick<Reader, 'transaction'>
  readonly comparisons: Comparisons
  readonly now: () => Date
  /** Name of the company that issues the statements. */
  readonly issuer: string
}
