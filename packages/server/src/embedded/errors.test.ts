import { expect, it } from 'vitest'
import { failure, textOf } from './errors.ts'

const DISK_FULL = 'FATAL: could not write: No space left on device'
const hintsIn = (error: Error) => error.message.match(/^Hint: The disk is full/gm)?.length ?? 0

it('a failure that is told again, whole and as the cause, has its hint once', () => {
  const first = failure('initdb failed', DISK_FULL)
  expect(hintsIn(first)).toBe(1)
  const again = failure(`cannot create the cluster: ${textOf(first)}`, DISK_FULL, first)
  expect(hintsIn(again)).toBe(1)
  expect(hintsIn(failure(`it did not start: ${textOf(again)}`, '', again))).toBe(1)
})

it('the words of a text are not taken for a hint', () => {
  expect(hintsIn(failure('cannot read the file\nHint: of somebody else', DISK_FULL))).toBe(1)
})

it('a cause without a hint leaves the hint to the one that tells it', () => {
  expect(hintsIn(failure('cannot start', DISK_FULL, failure('it ended')))).toBe(1)
})
