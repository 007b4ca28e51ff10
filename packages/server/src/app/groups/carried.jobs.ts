import { readCarried } from '../../db/carried.ts'
import { repeat } from '../../lib/repeat.ts'
import type { CarryPlace } from './carried.service.ts'
import { carry, isSameMarks, readPresent } from './carried.service.ts'

const POLL_MS = 1_000

/** Version of what is written once that a group has, and by how many it is behind the first group. */
export type CarriedView = {
  readonly version: number
  readonly behind: number
}

/** First group, from which all others get what is written once. */
export type Source = {
  readonly place: CarryPlace
  readonly address: () => string
  /** Reads what the first group has; groups that ask at about the same time share one answer. */
  readonly look: () => ReturnType<typeof readPresent>
}

export function openSource(place: CarryPlace, address: () => string): Source {
  let answer: ReturnType<typeof readPresent> | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  return {
    place,
    address,
    look() {
      if (answer !== undefined && performance.now() - askedAt < POLL_MS / 2) return answer
      askedAt = performance.now()
      answer = readPresent(place.database)
      return answer
    },
  }
}

export type Carrying = {
  /** undefined: it was not looked at yet. */
  state(): CarriedView | undefined
  stop(): Promise<void>
}

/** Carries to a group what changes in the first one, a second behind; a group that was away catches up. */
export function startCarrying(
  source: Source,
  group: CarryPlace,
  onProblem: (error: unknown) => void,
): Carrying {
  let view: CarriedView | undefined
  let trouble: string | undefined
  const jobs = repeat(
    POLL_MS,
    async () => {
      const first = await source.look()
      let state = await readCarried(group.database)
      if (state.source === null || !isSameMarks(first.marks, state.marks)) {
        await carry(source.place, group, source.address())
        state = await readCarried(group.database)
      }
      trouble = undefined
      view = viewOf(state, first.version)
    },
    (error) => {
      const text = error instanceof Error ? error.message : String(error)
      if (text !== trouble) onProblem(error)
      trouble = text
      view = view && { ...view, behind: Math.max(view.behind, 1) }
    },
  )
  return { state: () => view, stop: () => jobs.stop() }
}

export function viewOf({ version }: { readonly version: bigint }, first: bigint): CarriedView {
  return { version: Number(version), behind: Math.max(Number(first - version), 0) }
}
