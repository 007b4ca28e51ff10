import { findRefusal } from '../../../http/refusals.ts'
import type { Comparison } from '../../auth/signing/canonical-comparison.rules.ts'
import { MISTAKES } from '../../auth/signing/canonical-comparison.rules.ts'
import { findRejection } from '../../payments/core/rejections.rules.ts'
import { checksOf } from './request-log.rules.ts'
import type { DiagnosedRequest, KeptRequest } from './request-log.types.ts'

export function loggedRequestView(request: KeptRequest) {
  const help = findRefusal(request.error) ?? findRejection(request.error)
  return {
    id: String(request.id),
    at: request.at.toISOString(),
    request_id: request.requestId,
    method: request.method,
    route: request.route,
    status: request.status,
    duration_ms: request.durationMs,
    address: request.address,
    key_id: request.keyId,
    user_id: request.userId,
    error: request.error,
    message: request.message,
    cause: help?.cause ?? null,
    remedy: help?.remedy ?? null,
    skipped: request.skipped,
    refid: request.refid,
    payment_id: request.paymentId,
    code: request.code,
  }
}

export function diagnosedRequestView(request: DiagnosedRequest) {
  const { canonical } = request
  return {
    ...loggedRequestView(request),
    checks: checksOf(request),
    canonical_string: canonical === null ? null : { text: canonical.text, cut: canonical.isCut },
  }
}

export function canonicalComparisonView({ difference, mistake }: Comparison) {
  return {
    equal: difference === null,
    difference,
    mistake: mistake === null ? null : { code: mistake, text: MISTAKES[mistake] },
  }
}
