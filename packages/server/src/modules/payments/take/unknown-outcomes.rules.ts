import { RequestError } from '../../../lib/errors.ts'

/** Error for a commit of which it is not known whether it happened. */
export function uncertain(cause: unknown): RequestError {
  return new RequestError({
    status: 504,
    code: 'uncertain_outcome',
    publicText: 'The outcome is not known yet. Ask again with the same refid.',
    internalText: `the outcome of a commit is uncertain: ${String(cause)}`,
    cause,
  })
}

/**
 * Answers for a refid that may have been paid after the moment to which the database was returned. A 4xx would make the
 * client refund its customer, and a payment would be a second one.
 */
export function lost(): RequestError {
  return new RequestError({
    status: 504,
    code: 'outcome_lost',
    publicText:
      'The outcome is not known: the service was restored to an earlier moment, and this refid may have been paid ' +
      'after it. The outcome has to be asked of the provider. Do not refund, and ask again with the same refid.',
    internalText: 'the refid is not in the restored database',
  })
}
