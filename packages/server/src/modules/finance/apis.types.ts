import type { Database } from '../../db/database.ts'
import type { Authenticate, OperationOutput } from '../../http/operation.ts'
import type { DayRange } from '../../lib/dates.ts'
import type { Turns } from '../../lib/turns.ts'
import type { Reseller } from '../accounts/types.ts'
import type { Comparisons } from './compare.service.ts'

// Operators ask about any reseller, members about their own: the operations are the same.

export type Owner = Pick<Reseller, 'id' | 'account' | 'name'>

/** A table that is sent as it is read. */
export type Table = {
  readonly name: string
  readonly days: DayRange
  readonly columns: readonly string[]
  readonly pages: () => AsyncIterable<readonly (readonly string[])[]>
  readonly cells: (row: readonly string[]) => readonly string[]
}

/** What tells the operators' from the members'. */
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
  ) => OperationOutput | Promise<OperationOutput>
  /** In which statements are opened; turns of their own unless given. */
  readonly reads?: Turns
  readonly database: Database
  readonly comparisons: Comparisons
  readonly now: () => Date
  /** The company whose statements these are. */
  readonly issuer: string
}
