// Pays many lines, a few at a time. The same line may be handed over again: its refid is paid once.

export type RunOutcome = {
  /** `unknown`: no answer, so that the line is sent again when the run goes on. */
  readonly kind: 'answered' | 'unknown'
  /** True for answers after which more lines would fare no better; the run pauses. */
  readonly isHalting: boolean
}

type RunState = 'idle' | 'running' | 'paused' | 'ended'

type RunView = {
  readonly state: RunState
  readonly total: number
  readonly answered: number
  /** Lines that were sent and not answered. */
  readonly inFlight: number
}

type RunnerOptions<Item> = {
  readonly pay: (item: Item) => Promise<RunOutcome>
  readonly onChange: () => void
  readonly concurrency: number
}

type Runner<Item> = {
  view(): RunView
  start(items: readonly Item[]): void
  pause(): void
  resume(): void
  /** Begins no further line. Lines under way are answered still. */
  stop(): void
}

export function createRunner<Item>({ pay, onChange, concurrency }: RunnerOptions<Item>): Runner<Item> {
  let state: RunState = 'idle'
  let waiting: Item[] = []
  let total = 0
  let answered = 0
  let inFlight = 0

  const change = (next: RunState) => {
    state = next
    onChange()
  }
  const take = async (item: Item) => {
    const outcome = await pay(item).catch((): RunOutcome => ({ kind: 'unknown', isHalting: true }))
    inFlight -= 1
    if (outcome.kind === 'unknown') waiting.unshift(item)
    else answered += 1
    if (outcome.isHalting && state === 'running') state = 'paused'
    advance()
  }
  const advance = () => {
    while (state === 'running' && inFlight < concurrency) {
      const item = waiting.shift()
      if (item === undefined) break
      inFlight += 1
      void take(item)
    }
    if (inFlight === 0 && waiting.length === 0 && state !== 'idle') state = 'ended'
    onChange()
  }
  return {
    view: () => ({ state, total, answered, inFlight }),
    start(items) {
      if (state === 'running' || inFlight > 0) return
      waiting = [...items]
      total = items.length
      answered = 0
      state = 'running'
      advance()
    },
    pause() {
      if (state === 'running') change('paused')
    },
    resume() {
      if (state !== 'paused') return
      state = 'running'
      advance()
    },
    stop() {
      waiting = []
      if (state === 'running' || state === 'paused') change(inFlight === 0 ? 'ended' : 'paused')
    },
  }
}
