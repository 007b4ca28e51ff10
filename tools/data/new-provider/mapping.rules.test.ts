import { describe, expect, it } from 'vitest'
import { FAILURES, NOT_ACTED, queryAnswerOf, submitOutcomeOf } from './mapping.rules.ts'
import type { SampleAnswer } from './types.ts'

const answered = (body: unknown, status = 200): SampleAnswer => ({ kind: 'answered', status, body })

describe('the meaning of an answer of Sample', () => {
  it('done: succeeded, with its serial number and PIN', () => {
    expect(submitOutcomeOf(answered({ result: 'done', serial: 'S1', pin: '1234' }))).toEqual({
      kind: 'succeeded',
      output: { serialNumber: 'S1', pin: '1234', expiry: '', voucherLink: '', note: '' },
    })
  })

  it('waiting: pending', () => {
    expect(submitOutcomeOf(answered({ result: 'waiting' }))).toEqual({ kind: 'pending' })
  })

  it.each(Object.entries(FAILURES))('failed with %s: failed with %i', (error, code) => {
    const body = { result: 'failed', error }
    expect(submitOutcomeOf(answered(body))).toEqual({ kind: 'failed', code, reason: error })
    expect(queryAnswerOf(answered(body))).toEqual({ kind: 'failed', code, reason: error })
  })

  it.each([...NOT_ACTED])('refused with %s: not acted on, when it was just sent', (error) => {
    const body = { result: 'refused', error }
    expect(submitOutcomeOf(answered(body))).toMatchObject({ kind: 'not_acted' })
    expect(queryAnswerOf(answered(body))).toMatchObject({ kind: 'unknown' })
  })

  it('not_found: only with 404, and only to a question', () => {
    expect(queryAnswerOf(answered({ result: 'not_found' }, 404))).toEqual({ kind: 'not_found' })
    expect(queryAnswerOf(answered({ result: 'not_found' }))).toMatchObject({ kind: 'unknown' })
    expect(queryAnswerOf(answered('<h1>404</h1>', 404))).toMatchObject({ kind: 'unknown' })
    expect(submitOutcomeOf(answered({ result: 'not_found' }, 404))).toMatchObject({ kind: 'unknown' })
  })

  it.each([
    ['a word it does not know', answered({ result: 'perhaps' })],
    ['a failure that is not in the table', answered({ result: 'failed', error: 'toString' })],
    ['nothing', answered(null)],
    ['a list', answered([])],
    ['a success with an error status', answered({ result: 'done' }, 500)],
    ['a success with a PIN that is no text', answered({ result: 'done', serial: 'S1', pin: 1234 })],
    ['no answer', { kind: 'lost', wasSent: true, reason: 'no answer in time' }],
  ] satisfies [string, SampleAnswer][])('%s: unknown', (_, answer) => {
    expect(submitOutcomeOf(answer)).toMatchObject({ kind: 'unknown' })
    expect(queryAnswerOf(answer)).toMatchObject({ kind: 'unknown' })
  })

  it('an order that never left was not acted on', () => {
    const answer: SampleAnswer = { kind: 'lost', wasSent: false, reason: 'nobody listens' }
    expect(submitOutcomeOf(answer)).toMatchObject({ kind: 'not_acted', code: 47 })
    expect(queryAnswerOf(answer)).toMatchObject({ kind: 'unknown' })
  })
})
