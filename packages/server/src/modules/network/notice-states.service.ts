import type { NoticeState } from './notices.rules.ts'
import { noticeStateAt } from './notices.rules.ts'
import type { Notice } from './types.ts'

/** Whether it is still to come, in force or over. */
export function stateOfNotice(notice: Notice, nowMs: number): NoticeState {
  return noticeStateAt(notice, nowMs)
}
