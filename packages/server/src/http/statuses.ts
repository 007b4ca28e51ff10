import type { ErrorStatus } from '../lib/errors.ts'
import type { Guidance } from '../lib/guidance.ts'

/** Statuses whose body is `{ message, errors }`. Refusals of a caller, 401 and 403, carry a code of their own. */
export type ProblemStatus = Exclude<ErrorStatus, 401 | 403>

/** Help for every status of a request that could not be served. A new status does not compile without it. */
export const PROBLEMS: Readonly<Record<ProblemStatus, Guidance & { readonly message: string }>> = {
  400: {
    message: 'The given data was invalid.',
    cause: 'The request cannot be read, or a field is missing or wrong.',
    remedy: 'Correct the fields that `errors` names before you send it again.',
    retry: 'after_change',
  },
  404: {
    message: 'There is nothing at this address.',
    cause: 'Unknown path, or an unknown thing: nothing of your account has this name.',
    remedy: 'Compare path and identifiers. Things of other accounts look like unknown ones.',
    retry: 'after_change',
  },
  405: {
    message: 'This address takes other methods.',
    cause: 'The path takes other methods.',
    remedy: 'Use a method that `Allow` names.',
    retry: 'after_change',
  },
  408: {
    message: 'The body did not arrive in time.',
    cause: 'The request began, and its body did not arrive in time. Nothing was done.',
    remedy: 'Send it again, with a new nonce.',
    retry: 'later',
  },
  409: {
    message: 'In conflict with what is there.',
    cause: 'In conflict with what is there: a refid of another payment, a delivery that has not failed.',
    remedy:
      'Read `message`, and the thing itself. Of a payment `data` is the one that has the refid: it exists, give nothing back.',
    retry: 'after_change',
  },
  413: {
    message: 'The body is too large.',
    cause: 'The body is larger than the operation takes.',
    remedy: 'Send less; the reference names the limit of each operation.',
    retry: 'after_change',
  },
  415: {
    message: 'The content type is not supported.',
    cause: 'The body is not of a type that the operation reads, or it is compressed (`Content-Encoding`).',
    remedy: 'Send JSON in UTF-8 with `Content-Type: application/json`, as it is.',
    retry: 'after_change',
  },
  422: {
    message: 'Some items cannot be bought like this.',
    cause:
      'The request can be read, but what it asks for would be rejected: an item of an order, for example.',
    remedy: 'Correct the fields that `errors` names before you send it again.',
    retry: 'after_change',
  },
  429: {
    message: 'Too many requests. Please try again later.',
    cause: 'Too many of this kind: token requests, test events, replays of one event, open orders.',
    remedy: 'Come back after `Retry-After`. An event that was replayed three times is not replayed again.',
    retry: 'later',
  },
  431: {
    message: 'The headers are too large.',
    cause: 'The headers are larger than 16 kB together.',
    remedy: 'Send fewer or shorter headers.',
    retry: 'after_change',
  },
  500: {
    message: 'Something went wrong on our side.',
    cause: 'A fault of ours. Whether anything was done is not known.',
    remedy:
      'Ask before you decide, and quote `X-Request-Id`. A payment: send the same body with the same refid.',
    retry: 'ask_first',
  },
  503: {
    message: 'The service is temporarily unavailable. Please try again.',
    cause: 'Temporarily unavailable, and certainly nothing was done by this request.',
    remedy:
      'Send it again after `Retry-After`, with a new nonce. It says nothing about a refid that you sent before.',
    retry: 'later',
  },
  504: {
    message: 'The outcome is not known.',
    cause:
      'No answer within 29 seconds, or the database did not confirm the change. The work may still be done.',
    remedy:
      'Ask before you decide. A payment: send the same body with the same refid, which never pays twice.',
    retry: 'ask_first',
  },
}
