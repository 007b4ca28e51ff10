import type pg from 'pg'
import type { Database } from '../database.ts'
import type { Comparison } from './proof.ts'
import type { MoveStep } from './steps.ts'

/** The two places of a move, and what its command lends to it. */
export type MoveEnds = {
  /** Name of the group and of its schema in both places. */
  readonly group: string
  readonly source: Database
  /** New place. Its schema need not exist. */
  readonly target: Database
  readonly connections: { readonly source: pg.ClientConfig; readonly target: pg.ClientConfig }
  /** Server and database of each, for people. */
  readonly labels: { readonly source: string; readonly target: string }
  /** Address of the new place, sealed for the nodes that find the older one. */
  readonly sealed: Buffer
  /** Tells whether a schema that lies at the new place holds nothing of value. */
  isEmpty(target: Database): Promise<boolean>
  /** Names the new place in the file of groups. */
  list(): Promise<void>
  note(text: string): void
  /** Called after each step. A test ends the move there. */
  reached(step: MoveStep): void
}

export type MoveReport = {
  /** Schema of the older copy, which refuses everything and stays until it is dropped by name. */
  readonly kept: string
  /** Time for which the writers of the group waited; undefined: an earlier run held them. */
  readonly heldMs: number | undefined
  /** Comparison of every row before the switch and at it; undefined: an earlier run made it, or was broken off in it. */
  readonly before: Comparison | undefined
  readonly after: Comparison | undefined
}

/** One way of moving a group. */
export type Mover = {
  /** Tells whether this way leads from the one place to the other. */
  fits(ends: MoveEnds): Promise<boolean>
  /** Moves, or finishes a move that was broken off. */
  move(ends: MoveEnds): Promise<MoveReport>
  /** Undoes a move whose older place still serves. */
  abort(ends: MoveEnds): Promise<void>
}
