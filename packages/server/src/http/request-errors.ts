import type { Logger } from 'pino'
import { isWrittenOnce } from '../db/carried.ts'
import { UncertainOutcomeError } from '../db/commits/group-commit.ts'
import { isLockTimeout, isOutOfReach, UncertainCommitError } from '../db/database.ts'
import { RequestError, unavailable } from '../lib/errors.ts'
import type { Exchange } from './exchange.ts'
import type { RoutedMethod } from './router.ts'

/**
 * Turns an error into a RequestError. Any other error is a bug: it is logged once with its cause, and nothing of it is
 * sent.
 */
export function asRequestError(error: unknown, { id }: Pick<Exchange, 'id'>, logger: Logger): RequestError {
  if (error instanceof RequestError) return error
  // This check comes before the one of the connection: a possible commit must never be reported as "nothing was done".
  if (error instanceof UncertainCommitError || error instanceof UncertainOutcomeError) return uncertain(error)
  if (isOutOfReach(error)) return unavailable('database_unavailable', String(error), error)
  // The server rolled the statement back: another transaction held a row longer than the lock timeout.
  if (isLockTimeout(error)) return unavailable('busy', String(error), error)
  const refusal = writtenOnceIn(error)
  if (refusal !== undefined) return refusal
  logger.error({ request_id: id, err: error }, 'unexpected error')
  return new RequestError({
    status: 500,
    code: 'internal_error',
    publicText: `Something went wrong on our side. Please quote request ${id}.`,
    internalText: 'unexpected error, logged apart',
  })
}

/** Refusal of a change of what is written in the first group; its text names that one. */
function writtenOnceIn(error: unknown): RequestError | undefined {
  if (!isWrittenOnce(error)) return undefined
  return new RequestError({ status: 409, code: 'written_in_the_first_group', publicText: error.message })
}

function uncertain(error: Error): RequestError {
  return new RequestError({
    status: 504,
    code: 'uncertain_outcome',
    publicText:
      'The outcome is not known: the database did not confirm it. Ask, or send the same request again: money that ' +
      'was moved is not moved twice.',
    internalText: `${error.message}: ${String(error.cause)}`,
    cause: error,
  })
}

export function unmatched(methods: readonly RoutedMethod[]): RequestError {
  if (methods.length === 0) {
    return new RequestError({
      status: 404,
      code: 'not_found',
      publicText: 'There is nothing at this address.',
    })
  }
  return new RequestError({
    status: 405,
    code: 'method_not_allowed',
    publicText: `This address takes ${methods.join(' or ')}.`,
    headers: { Allow: methods.join(', ') },
  })
}

export function badRequest(publicText: string): RequestError {
  return new RequestError({ status: 400, code: 'bad_request', publicText })
}
