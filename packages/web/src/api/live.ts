import { useEffect, useSyncExternalStore } from 'react'
import { useLatest } from './latest.ts'

// One connection per tab brings the service's events. The browser reconnects by itself, and its Last-Event-ID lets
// the service send what was missed meanwhile.

type LiveState = 'connecting' | 'live' | 'interrupted'

type LiveEvent = { readonly name: string; readonly data: unknown }

type Listener = (event: LiveEvent) => void

type LiveConnection = {
  state(): LiveState
  onState(listener: () => void): () => void
  on(names: readonly string[], listener: Listener): () => void
  close(): void
}

const RETRY_MS_MIN = 1_000
const RETRY_MS_MAX = 30_000

/** Opens the stream of events. `reset` is an event too: it says that events were missed and everything is read again. */
export function openLive(url: string): LiveConnection {
  const listeners = new Map<string, Set<Listener>>()
  const stateListeners = new Set<() => void>()
  let state: LiveState = 'connecting'
  let source: EventSource
  let retryMs = RETRY_MS_MIN
  let timer: number | undefined
  let isClosed = false

  const setState = (next: LiveState) => {
    if (state === next) return
    state = next
    for (const each of stateListeners) each()
  }
  const dispatch = (event: MessageEvent<string>) => {
    const data: unknown = JSON.parse(event.data)
    for (const each of listeners.get(event.type) ?? []) each({ name: event.type, data })
  }
  const connect = () => {
    source = new EventSource(url)
    source.onopen = () => {
      retryMs = RETRY_MS_MIN
      setState('live')
    }
    source.onerror = () => {
      setState('interrupted')
      // The browser gives up after an error answer, for instance while the service restarts behind a proxy.
      if (source.readyState !== EventSource.CLOSED || isClosed) return
      timer = window.setTimeout(connect, retryMs)
      retryMs = Math.min(retryMs * 2, RETRY_MS_MAX)
    }
    for (const name of listeners.keys()) source.addEventListener(name, dispatch)
  }
  connect()

  return {
    state: () => state,
    onState(listener) {
      stateListeners.add(listener)
      return () => stateListeners.delete(listener)
    },
    on(names, listener) {
      for (const name of names) {
        let those = listeners.get(name)
        if (those === undefined) {
          those = new Set()
          listeners.set(name, those)
          source.addEventListener(name, dispatch)
        }
        those.add(listener)
      }
      return () => {
        for (const name of names) listeners.get(name)?.delete(listener)
      }
    },
    close() {
      isClosed = true
      window.clearTimeout(timer)
      source.close()
    },
  }
}

let current: LiveConnection | undefined
const currentListeners = new Set<() => void>()

/** Sets the tab's connection, when somebody signs in or out. */
export function setLive(connection: LiveConnection | undefined): void {
  current?.close()
  current = connection
  for (const each of currentListeners) each()
}

function subscribeCurrent(listener: () => void): () => void {
  currentListeners.add(listener)
  return () => currentListeners.delete(listener)
}

export function useLiveState(): LiveState | undefined {
  const connection = useSyncExternalStore(subscribeCurrent, () => current)
  return useSyncExternalStore(
    (listener) => connection?.onState(listener) ?? (() => {}),
    () => connection?.state(),
  )
}

/** Calls back for each event of these names while the component is shown. */
export function useLive(names: readonly string[], listener: Listener): void {
  const latest = useLatest(listener)
  const connection = useSyncExternalStore(subscribeCurrent, () => current)
  const joined = names.join(' ')
  useEffect(() => connection?.on(joined.split(' '), (event) => latest.current(event)), [connection, joined])
}
