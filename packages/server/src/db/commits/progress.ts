/** Tells a queue of commands that moves from one that stands still. */
export type Progress = {
  /** Time for which commands have been waiting without an answer to any of them; 0 while there are none. */
  readonly stalledMs: number
  /** Time since a batch was last committed. */
  readonly committedAgoMs: number
}

export type ProgressTracker = {
  /** Marks the first command after a time without any. */
  begin(): void
  /** Marks an answer of the database to a batch. */
  note(answer: 'committed' | 'rolled back'): void
  read(isBusy: boolean): Progress
}

export function trackProgress(): ProgressTracker {
  let movedAtMs = Number.NEGATIVE_INFINITY
  let committedAtMs = Number.NEGATIVE_INFINITY
  return {
    begin() {
      movedAtMs = performance.now()
    },
    note(answer) {
      movedAtMs = performance.now()
      if (answer === 'committed') committedAtMs = movedAtMs
    },
    read(isBusy) {
      const nowMs = performance.now()
      return { stalledMs: isBusy ? nowMs - movedAtMs : 0, committedAgoMs: nowMs - committedAtMs }
    },
  }
}

/** Combines several queues: the longest standstill, and the last commit. */
export function joinProgress(all: readonly Progress[]): Progress {
  return {
    stalledMs: Math.max(0, ...all.map((each) => each.stalledMs)),
    committedAgoMs: Math.min(...all.map((each) => each.committedAgoMs)),
  }
}
