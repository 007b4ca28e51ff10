import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useLiveState } from '../api/live.ts'
import { useText } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { Shape } from '../ui/state.tsx'
import { SHELL } from './messages.ts'
import { hasNewVersion } from './new-version.ts'

/**
 * Says that the service has a new version, and loads it when somebody wants it. A new version begins with a restart,
 * which breaks the stream of events: it is looked for when that is back.
 */
export function VersionBanner() {
  const text = useText(SHELL)
  const state = useLiveState()
  const isBusy = useSyncExternalStore(subscribe, () => busy > 0)
  const [isNew, setNew] = useState(false)
  const wasBroken = useRef(false)
  useEffect(() => {
    if (state === 'interrupted') wasBroken.current = true
    if (state !== 'live' || !wasBroken.current) return
    wasBroken.current = false
    void hasNewVersion().then((isOther) => setNew((before) => before || isOther))
  }, [state])
  if (!isNew || isBusy) return null
  return (
    <div className="banner" role="status">
      <Shape tone="info" isColoured />
      {text.newVersion}
      <Button size="sm" onClick={() => location.reload()}>
        {text.reload}
      </Button>
    </div>
  )
}

let busy = 0
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Holds the banner back while the page is in the middle of something that a reload would break off. */
export function useBusyPage(isBusy: boolean): void {
  useEffect(() => {
    if (!isBusy) return
    change(1)
    return () => change(-1)
  }, [isBusy])
}

function change(by: number): void {
  busy += by
  for (const each of listeners) each()
}
