import type { Queryable } from '../database.ts'

/** Steps of a move, in their order. Until `fenced` a move can be undone. */
export const MOVE_STEPS = [
  'begun',
  'target',
  'gated',
  'copied',
  'proven',
  'held',
  'fenced',
  'switched',
  'listed',
  'finished',
] as const
export type MoveStep = (typeof MOVE_STEPS)[number]

export type LastMove = {
  readonly move: number
  /** Server and database to which it was begun. */
  readonly target: string
  readonly isOver: boolean
  readonly isSwitched: boolean
}

export async function findLastMove(connection: Queryable): Promise<LastMove | undefined> {
  const { rows } = await connection.query<{
    move: number
    target: string
    is_over: boolean
    is_switched: boolean
  }>(
    `select move, max(detail) filter (where step = 'begun') as target,
            bool_or(step in ('finished', 'aborted')) as is_over, bool_or(step = 'switched') as is_switched
       from group_move_steps group by move having bool_or(step = 'begun') order by move desc limit 1`,
  )
  const [found] = rows
  return (
    found && {
      move: found.move,
      target: found.target,
      isOver: found.is_over,
      isSwitched: found.is_switched,
    }
  )
}

/** Writes a step down. A move that was broken off does a step again, and keeps its first time. */
export async function noteStep(
  connection: Queryable,
  move: number,
  step: string,
  detail = '',
): Promise<void> {
  await connection.query(
    `insert into group_move_steps (move, step, detail) values ($1, $2, $3) on conflict (move, step) do nothing`,
    [move, step, detail],
  )
}

export async function hasStep(connection: Queryable, move: number, step: string): Promise<boolean> {
  const { rows } = await connection.query('select from group_move_steps where move = $1 and step = $2', [
    move,
    step,
  ])
  return rows.length > 0
}
