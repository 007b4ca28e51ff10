import { noticeStateAt } from '../../network/notices.rules.ts'
import type { Notice } from '../../network/types.ts'

/**
 * Shows a notice. `nowMs` is this node's estimate of the database's clock, so times that the database wrote are never
 * future.
 */
export function noticeView(notice: Notice, nowMs: number) {
  const atMs = Math.max(nowMs, notice.createdAt.getTime(), notice.endedAt?.getTime() ?? 0)
  return {
    id: String(notice.id),
    state: noticeStateAt(notice, atMs),
    target: notice.target.kind,
    code: notice.target.code,
    message: notice.message,
    stops_payments: notice.stopsPayments,
    starts_at: notice.startsAt.toISOString(),
    ends_at: notice.endsAt?.toISOString() ?? null,
    ended_at: notice.endedAt?.toISOString() ?? null,
    created_by: notice.createdBy,
    created_at: notice.createdAt.toISOString(),
  }
}
