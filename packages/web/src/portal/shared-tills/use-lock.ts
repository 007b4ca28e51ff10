import { useEffect, useRef } from 'react'
import type { Member } from '../session.ts'
import { endSession } from '../sign-out.ts'
import { lastUseMs, markTill, noteUse } from './marker.ts'

/** Key that locks a shared till wherever the cursor is: letters and digits belong to the fields. */
export const LOCK_KEY = 'F9'

const CHECK_MS = 1_000

/** Locks a shared till by its key, and by itself when nobody uses it. undefined: the browser is none. */
export function useTillLock(till: Member['shared_till']): (() => void) | undefined {
  const isLocking = useRef(false)
  const idleMs = till === null ? undefined : till.idle_seconds * 1_000
  const lock = () => {
    if (isLocking.current) return
    isLocking.current = true
    // The screen is locked also when the service does not answer; the session there ends by itself a minute later.
    void endSession()
      .catch(() => undefined)
      .finally(() => location.assign('/portal/sign-in'))
  }
  const latest = useRef(lock)
  useEffect(() => {
    latest.current = lock
  })
  useEffect(() => {
    if (idleMs === undefined) return
    markTill(true)
    let usedMs = Date.now()
    noteUse(usedMs)
    const use = () => {
      const nowMs = Date.now()
      // A screen that wakes up late is locked before the first touch counts.
      if (isOver(usedMs, idleMs, nowMs)) return latest.current()
      if (nowMs - usedMs >= CHECK_MS) noteUse(nowMs)
      usedMs = nowMs
    }
    const press = (event: KeyboardEvent) => {
      if (event.key === LOCK_KEY) {
        event.preventDefault()
        latest.current()
      } else use()
    }
    const timer = window.setInterval(() => {
      if (isOver(usedMs, idleMs, Date.now())) latest.current()
    }, CHECK_MS)
    document.addEventListener('keydown', press, true)
    document.addEventListener('pointerdown', use, true)
    return () => {
      window.clearInterval(timer)
      document.removeEventListener('keydown', press, true)
      document.removeEventListener('pointerdown', use, true)
    }
  }, [idleMs])
  return till === null ? undefined : lock
}

function isOver(usedMs: number, idleMs: number, nowMs: number): boolean {
  return nowMs - Math.max(usedMs, lastUseMs()) > idleMs
}
