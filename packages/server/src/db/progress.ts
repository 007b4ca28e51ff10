/** Tells a queue of commands that moves from one that stands still. */
export type Progress = {
  /** How long commands have been waiting without an answer to any of them; 0 while there are none. */
  readonly stalledMs: number
  /** How long ago a batch was last committed. */
  readonly committedAgoMs: number
}

export type ProgressTracker = {
  /** Call it when the first command comes after a time without any. */
  begin(): void
  /** Call it when the database answered a batch. */
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

/** Of several queues together: the one that stands still for longest, and the one that committed last. */
export function joinProgress(all: readonly Progress[]): Progress {
  return {
    stalledMs: Math.max(0, ...all.map((each) => each.stalledMs)),
    committedAgoMs: Math.min(...all.map((each) => each.committedAgoMs)),
  }
}
