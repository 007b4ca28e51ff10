import type { Notice, NoticeTarget } from './types.ts'

/**
 * Time at which a notice is over: its planned end or the time somebody ended it, whichever is first. A notice that was
 * ended before its start was never in force.
 */
export function overMs({ endsAt, endedAt }: Pick<Notice, 'endsAt' | 'endedAt'>): number {
  return Math.min(
    endsAt?.getTime() ?? Number.POSITIVE_INFINITY,
    endedAt?.getTime() ?? Number.POSITIVE_INFINITY,
  )
}

export function isInForce(notice: Notice, nowMs: number): boolean {
  return notice.startsAt.getTime() <= nowMs && nowMs < overMs(notice)
}

export const NOTICE_STATES = ['scheduled', 'in_force', 'over'] as const
export type NoticeState = (typeof NOTICE_STATES)[number]

export function noticeStateAt(notice: Notice, nowMs: number): NoticeState {
  if (nowMs >= overMs(notice)) return 'over'
  return isInForce(notice, nowMs) ? 'in_force' : 'scheduled'
}

/** Notices grouped by their target. */
export type NoticeIndex = {
  readonly products: ReadonlyMap<string, readonly Notice[]>
  readonly categories: ReadonlyMap<string, readonly Notice[]>
  readonly providers: ReadonlyMap<string, readonly Notice[]>
  readonly stopping: boolean
}

export function boardOf(notices: readonly Notice[]): NoticeIndex {
  const byNotices = notices.filter((each) => each.startsAt.getTime() < overMs(each))
  return {
    products: byCode(byNotices, 'product'),
    categories: byCode(byNotices, 'category'),
    providers: byCode(byNotices, 'provider'),
    stopping: byNotices.some((each) => each.stopsPayments),
  }
}

function byCode(notices: readonly Notice[], kind: NoticeTarget['kind']): Map<string, Notice[]> {
  const found = new Map<string, Notice[]>()
  for (const notice of notices) {
    const { target } = notice
    if (target.kind !== kind) continue
    const same = found.get(target.code)
    if (same === undefined) found.set(target.code, [notice])
    else same.push(notice)
  }
  return found
}

export type ProductLocation = { readonly code: string; readonly categoryCode: string }

const NONE: readonly Notice[] = []

/** Returns the notices about the product itself or about its category. */
export function noticesOn(board: NoticeIndex, { code, categoryCode }: ProductLocation): readonly Notice[] {
  const own = board.products.get(code) ?? NONE
  const shared = board.categories.get(categoryCode) ?? NONE
  if (shared.length === 0) return own
  return own.length === 0 ? shared : [...own, ...shared]
}

export function isStoppedAt(board: NoticeIndex, place: ProductLocation, nowMs: number): boolean {
  return (
    board.stopping && noticesOn(board, place).some((each) => each.stopsPayments && isInForce(each, nowMs))
  )
}

/** Period in which some notice is in force, or none is. `sinceMs` is its start; null: no start is known. */
export type NoticePeriod = { readonly isOn: boolean; readonly sinceMs: number | null }

const NO_NOTICE: NoticePeriod = { isOn: false, sinceMs: null }

export function noticePeriodAt(notices: readonly Notice[], nowMs: number): NoticePeriod {
  if (notices.length === 0) return NO_NOTICE
  if (!notices.some((each) => isInForce(each, nowMs))) {
    const ends = notices.map(overMs).filter((each) => each <= nowMs)
    return { isOn: false, sinceMs: ends.length === 0 ? null : Math.max(...ends) }
  }
  // Notices that follow one another without a gap are one interruption: the loop goes back from now, notice by notice.
  let sinceMs = nowMs
  for (;;) {
    const reached = sinceMs
    const earlier = notices.filter((each) => each.startsAt.getTime() < reached && overMs(each) >= reached)
    if (earlier.length === 0) return { isOn: true, sinceMs }
    sinceMs = Math.min(...earlier.map((each) => each.startsAt.getTime()))
  }
}
