import type { NoticeState } from './notices.rules.ts'
import { noticeStateAt } from './notices.rules.ts'
import type { Notice } from './types.ts'

/** Tells whether a notice is scheduled, in force or over. */
export function stateOfNotice(notice: Notice, nowMs: number): NoticeState {
  return noticeStateAt(notice, nowMs)
}
