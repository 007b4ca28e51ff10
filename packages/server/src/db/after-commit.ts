import { isOutOfReach, UncertainCommitError } from './database.ts'

/**
 * Reads the result of something that is committed. A database that is lost just then is reported like a lost answer of
 * the commit: its own error would say that nothing was done.
 */
export async function readAfterCommit<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw isOutOfReach(error) ? new UncertainCommitError(error) : error
  }
}
