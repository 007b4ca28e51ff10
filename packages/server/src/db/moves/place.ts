// Place of a group: the row in its schema that says whether it is served from there.

export const PLACE_STATES = ['serving', 'arriving', 'moved'] as const
export type PlaceState = (typeof PLACE_STATES)[number]

export type PlaceRow = {
  readonly state: PlaceState
  readonly epoch: bigint
  /** Server and database that it comes from or was moved to. */
  readonly other: string | null
  readonly address: Buffer | null
  /** Identifies the database, by whatever address it is reached. */
  readonly identity: string
}

export const FIND_PLACE = `select to_regclass('group_place') is not null as is_there`
export const PLACE_STATE = `
  select state, epoch, other, address,
         (select system_identifier from pg_control_system()) || '/' || current_database() as identity
    from group_place`

type Asked = { query<R extends object>(statement: string): Promise<{ readonly rows: R[] }> }

/** Finds the row; undefined: the schema is not there, or of a version without it. */
export async function findPlace(connection: Asked): Promise<PlaceRow | undefined> {
  const { rows: found } = await connection.query<{ is_there: boolean }>(FIND_PLACE)
  if (found[0]?.is_there !== true) return undefined
  return (await connection.query<PlaceRow>(PLACE_STATE)).rows[0]
}

/** Error of a place from which the group is not served. */
export class UnservedError extends Error {
  readonly state: PlaceState

  constructor({ state, other }: Pick<PlaceRow, 'state' | 'other'>) {
    super(
      state === 'arriving'
        ? `a move of this group to here is not finished (it left ${other}): repeat it, or undo it by --abort`
        : `this group was moved to ${other}`,
    )
    this.name = 'UnservedError'
    this.state = state
  }
}

/** Throws unless the group is served from this place. */
export function refuseUnserved(place: Pick<PlaceRow, 'state' | 'other'>): void {
  if (place.state !== 'serving') throw new UnservedError(place)
}
