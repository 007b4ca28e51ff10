import pg from 'pg'

/**
 * Returns PostgreSQL's five-character code of an error, or of the error that caused it; undefined when the server
 * reported nothing.
 */
export function sqlStateOf(error: unknown): string | undefined {
  let found = error
  while (found instanceof Error) {
    if (found instanceof pg.DatabaseError) return found.code
    found = found.cause
  }
  return undefined
}
