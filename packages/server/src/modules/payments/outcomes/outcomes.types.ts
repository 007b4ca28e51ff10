/** One kind of answer that a supplier gives once, and the way into the database. */
export type OutcomeKind<Command, Result> = {
  /** Stored in files; never renamed. */
  readonly kind: string
  /** Names what the answer is about, in logs and alerts: never a secret. Two answers of one name are the same. */
  nameOf(command: Command): string
  /** Writes an answer that was just heard. To write it twice is harmless. */
  write(command: Command): Promise<Result>
  /** Writes one that failed before, beside the fresh ones, so that it never holds them up. */
  rewrite(command: Command): Promise<unknown>
}

/**
 * Keeps what suppliers answered until it is in the database: in memory while the process lives, in a sealed file when
 * it ends.
 */
export type Outcomes = {
  /**
   * The returned function resolves when the answer is written, with the result, or when it is kept, with undefined;
   * it never rejects.
   */
  register<Command, Result>(
    kind: OutcomeKind<Command, Result>,
  ): (command: Command) => Promise<Result | undefined>
  /** Reads what processes before this one left. Every kind is registered by then. */
  start(): Promise<void>
  /** Answers that wait in memory for the database. */
  readonly kept: number
  /** Writes those that wait to a file now, and goes on trying. */
  checkpoint(): Promise<void>
  /** Waits for them as long as the grace time allows, then writes the rest to a file. */
  close(): Promise<void>
}
