/** Result of working through what is due: done, or a trouble because of which the next batch would fail as well. */
export type WorkedThrough<Trouble extends string> = 'done' | Trouble

export type Batches<Work, Result, Trouble extends string> = {
  readonly isStopped: () => boolean
  /** Claims the next batch; an empty one means that nothing is due. */
  readonly claim: () => Promise<readonly Work[]>
  /** Does one piece of work and records its result. All pieces of a batch are done at the same time. */
  readonly work: (claimed: Work) => Promise<Result>
  /** Judges a batch when all its work has ended. */
  readonly conclude: (results: readonly Result[]) => Promise<WorkedThrough<Trouble>>
}

/** Works through claimed batches until nothing is due, it is stopped, or a batch meets trouble. */
export async function workThrough<Work, Result, Trouble extends string>(
  batches: Batches<Work, Result, Trouble>,
): Promise<WorkedThrough<Trouble>> {
  const { isStopped, claim, work, conclude } = batches
  while (!isStopped()) {
    const claimed = await claim()
    if (claimed.length === 0) return 'done'
    const underway = claimed.map(work)
    // All are awaited first, so that one whose result cannot be recorded does not abandon the others.
    await Promise.allSettled(underway)
    const concluded = await conclude(await Promise.all(underway))
    if (concluded !== 'done') return concluded
  }
  return 'done'
}

/** Wraps work that is repeated: after a run with trouble it is not begun again before the pause is over. */
export function pausingAfterTrouble(
  pauseMs: number,
  work: () => Promise<WorkedThrough<string>>,
  nowMs: () => number = () => performance.now(),
): () => Promise<void> {
  let pausedUntilMs = Number.NEGATIVE_INFINITY
  return async () => {
    if (nowMs() < pausedUntilMs) return
    if ((await work()) !== 'done') pausedUntilMs = nowMs() + pauseMs
  }
}
