import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { ApiProblem } from '../api/errors.ts'

let problems: typeof import('./problem-text.ts')
let UI: typeof import('./messages.ts')['UI']

// The language is read from the document when its module is loaded.
beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: { lang: 'en' } })
  problems = await import('./problem-text.ts')
  UI = (await import('./messages.ts')).UI
})
afterAll(() => {
  vi.unstubAllGlobals()
})

const invalid = (fields: Record<string, string[]>) =>
  new ApiProblem('The given data was invalid.', { status: 400, code: 'validation_failed', fields })

it('the text of an error names each wrong field, in the words of the reader where they are known', () => {
  const error = invalid({ to: ['must not lie before from'], shelf_life: ['must be a number'] })
  expect(problems.problemText(error, UI.en)).toBe(
    'The given data was invalid. To: must not lie before the first day. shelf_life: must be a number.',
  )
  expect(problems.problemText(error, UI.ms)).toBe(
    'Data yang diberikan tidak sah. Hingga: tidak boleh sebelum hari pertama. shelf_life: must be a number.',
  )
})

it.each(['must be at most 366 days from the first', 'must lie at most 366 days before to'])(
  'the text of an error about a range says how many days it may have: %s',
  (complaint) => {
    expect(problems.problemText(invalid({ from: [complaint] }), UI.ms)).toContain('366 hari')
  },
)

it('the text of an error leaves whole sentences of the service as they are', () => {
  const error = invalid({ constructor: ['The day field must be a date like 2026-11-14.'] })
  expect(problems.problemText(error, UI.en)).toBe(
    'The given data was invalid. The day field must be a date like 2026-11-14.',
  )
})

it('the text of an error that says itself what is wrong stands alone', () => {
  const message = 'There is one problem in the files; nothing was imported.'
  const fields = { 'prices.csv:2': ['must be a number'] }
  const error = new ApiProblem(message, { status: 400, code: 'validation_failed', fields })
  expect(problems.problemText(error, UI.en)).toBe(message)
})

it('the text of an error keeps what follows a known sentence', () => {
  const error = new ApiProblem('Something went wrong on our side. Please quote request 7.', {
    status: 500,
    code: 'http_500',
  })
  expect(problems.problemText(error, UI.ms)).toBe('Ada masalah di pihak kami. Please quote request 7.')
})

it.each([
  [0, true],
  [400, false],
  [403, false],
  [404, false],
  [409, true],
  [422, false],
  [429, true],
  [500, true],
  [503, true],
])('a read that was answered with %i is worth another try: %s', (status, isWorth) => {
  expect(problems.isWorthRetrying(new ApiProblem('', { status, code: 'x' }))).toBe(isWorth)
})

it('the text of a failed change says once that nothing was changed, in each language', () => {
  const refused = (message: string) => new ApiProblem(message, { status: 409, code: 'in_progress' })
  const said = refused('A node works on this payment. Nothing was changed; try again then.')
  expect(problems.effectText(said, UI.en)).toBe('')
  expect(problems.effectText(said, UI.ms)).toBe(UI.ms.notDone)
  expect(problems.effectText(refused('Somebody else decided.'), UI.en)).toBe(UI.en.notDone)
  const silent = new ApiProblem('', { status: 504, code: 'timeout' })
  expect(problems.effectText(silent, UI.en)).toBe(UI.en.notKnown)
})
