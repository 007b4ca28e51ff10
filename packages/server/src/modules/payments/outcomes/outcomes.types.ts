import type { PaymentNames } from '../../../lib/observing/payment-stages.ts'

/** Kind of answer that a supplier gives only once, with its way into the database. */
export type OutcomeKind<Command, Result> = {
  /** Name stored in files; never changed. */
  readonly kind: string
  /** Names the subject of the answer in logs and alerts: never a secret. Two answers with one name are the same. */
  nameOf(command: Command): string
  /** Names of the payment that the answer is about, for the log. */
  namesOf?(command: Command): PaymentNames
  /** Writes an answer that was just received. Writing it twice is harmless. */
  write(command: Command): Promise<Result>
  /** Writes an answer that failed before, in parallel with fresh ones, so that it never delays them. */
  rewrite(command: Command): Promise<unknown>
}

/**
 * Keeps answers of suppliers until they are in the database: in memory while the process lives, in a sealed file when
 * it ends.
 */
export type Outcomes = {
  /**
   * Registers a kind. The returned function resolves with the result when the answer is written, or with undefined when
   * it is kept; it never rejects.
   */
  register<Command, Result>(
    kind: OutcomeKind<Command, Result>,
  ): (command: Command) => Promise<Result | undefined>
  /** Reads the files that earlier processes left. All kinds must be registered before. */
  start(): Promise<void>
  /** Answers that wait in memory for the database. */
  readonly kept: number
  /** Writes the waiting answers to a file now, and goes on trying. */
  checkpoint(): Promise<void>
  /** Waits for them as long as the grace time allows, then writes the rest to a file. */
  close(): Promise<void>
}
