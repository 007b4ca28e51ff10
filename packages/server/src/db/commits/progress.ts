/** Tells a queue of commands that moves from one that stands still. */
export type Progress = {
  /** Time for which commands have been waiting without an answer to any of them; 0 while there are none. */
  readonly stalledMs: number
  /** Time since a batch was last committed. */
  readonly committedAgoMs: number
  /** True: the last batch failed because the database has no room on its disk. */
  readonly isOutOfRoom: boolean
}

export type ProgressTracker = {
  /** Marks the first command after a time without any. */
  begin(): void
  /** Marks an answer of the database to a batch. */
  note(answer: 'committed' | 'rolled back' | 'out of room'): void
  read(isBusy: boolean): Progress
}

export function trackProgress(): ProgressTracker {
  let movedAtMs = Number.NEGATIVE_INFINITY
  let committedAtMs = Number.NEGATIVE_INFINITY
  let isOutOfRoom = false
  return {
    begin() {
      movedAtMs = performance.now()
    },
    note(answer) {
      movedAtMs = performance.now()
      if (answer === 'committed') committedAtMs = movedAtMs
      isOutOfRoom = answer === 'out of room'
    },
    read(isBusy) {
      const nowMs = performance.now()
      const stalledMs = isBusy ? nowMs - movedAtMs : 0
      return { stalledMs, committedAgoMs: nowMs - committedAtMs, isOutOfRoom }
    },
  }
}

/** Combines several queues: the longest standstill, and the last commit. */
export function joinProgress(all: readonly Progress[]): Progress {
  return {
    stalledMs: Math.max(0, ...all.map((each) => each.stalledMs)),
    committedAgoMs: Math.min(...all.map((each) => each.committedAgoMs)),
    isOutOfRoom: all.some((each) => each.isOutOfRoom),
  }
}
