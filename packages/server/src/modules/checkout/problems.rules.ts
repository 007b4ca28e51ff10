import type { ErrorStatus } from '../../lib/errors.ts'
import { RequestError } from '../../lib/errors.ts'
import type { Guidance } from '../../lib/guidance.ts'

type CheckoutProblemGuide = Guidance & { readonly status: ErrorStatus; readonly message: string }

/** Refusals of the customers' operations, beside those of the order itself. */
export const CHECKOUT_PROBLEMS = {
  origin_not_allowed: {
    status: 403,
    message: 'The checkout of this account does not take requests from this site.',
    cause: 'A page of another site sent the request, and the account does not name that site.',
    remedy: "Add the site to `allowed_origins` in the account's checkout settings.",
    retry: 'after_change',
  },
  shop_closed: {
    status: 409,
    message: 'The shop takes no orders now.',
    cause: "The reseller's account is suspended, or may not pay.",
    remedy: 'Come back later, or ask the shop.',
    retry: 'after_change',
  },
  too_many_requests: {
    status: 429,
    message: 'There were too many requests for this order. Please try again later.',
    cause: 'The order has limits on requests, on bill questions and on questions to suppliers.',
    remedy: 'Come back after `Retry-After`.',
    retry: 'later',
  },
} as const satisfies Readonly<Record<string, CheckoutProblemGuide>>

export function checkoutProblem(
  code: keyof typeof CHECKOUT_PROBLEMS,
  headers?: Readonly<Record<string, string>>,
): RequestError {
  const { status, message } = CHECKOUT_PROBLEMS[code]
  return new RequestError({ status, code, publicText: message, ...(headers !== undefined && { headers }) })
}
