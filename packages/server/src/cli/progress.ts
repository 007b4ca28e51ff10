import type { Call } from './command.ts'

/** Progress of a long command: a bar at a terminal, a line now and then in a log. */
export type Progress = {
  rows(count: number): void
  step(text: string): void
}

/** Terminal on which the bar is drawn, or undefined. */
export type Screen = { write(text: string): unknown } | undefined

const ROWS_PER_LINE = 5_000
const BAR_WIDTH = 30

export function openProgress(
  call: Pick<Call, 'note'>,
  rowsExpected: number,
  screen: Screen = process.stderr.isTTY ? process.stderr : undefined,
): Progress {
  return screen === undefined ? lines(call) : bar(screen, rowsExpected)
}

function lines(call: Pick<Call, 'note'>): Progress {
  let isLong = false
  return {
    rows(count) {
      if (count % ROWS_PER_LINE !== 0) return
      isLong = true
      call.note(`read ${count} rows`)
    },
    step(text) {
      // Short work prints no steps.
      if (isLong) call.note(text)
    },
  }
}

function bar(screen: NonNullable<Screen>, rowsExpected: number): Progress {
  return {
    rows(count) {
      const filled = Math.min(BAR_WIDTH, Math.round((BAR_WIDTH * count) / Math.max(1, rowsExpected)))
      screen.write(`\r[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${count} rows`)
    },
    step(text) {
      screen.write(`\r\u001B[K${text}\n`)
    },
  }
}
