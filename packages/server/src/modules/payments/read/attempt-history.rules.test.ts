import { describe, expect, it } from 'vitest'
import type { AttemptChange, AttemptFacts, WaitingAttempt } from './attempt-history.rules.ts'
import { historyOf } from './attempt-history.rules.ts'

const at = (second: number) => new Date(Date.UTC(2026, 10, 16, 4, 0, second))

function change(second: number, changes: Partial<AttemptChange>): AttemptChange {
  const none = { attempt: null, provider: null, providerBefore: null, detail: '' }
  return { kind: 'state', code: 1, at: at(second), ...none, ...changes }
}

function waiting(changes: Partial<WaitingAttempt>): WaitingAttempt {
  return {
    attempt: 1,
    provider: null,
    submittedAt: at(0),
    questions: 0,
    isUnsent: false,
    nextAt: at(60),
    ...changes,
  }
}

function read(facts: Partial<AttemptFacts>) {
  return historyOf({
    paymentId: 77n,
    createdAt: at(0),
    serialNumber: '',
    provider: 'NUSA',
    changes: [],
    waiting: [],
    nameOf: (code) => `${code} Sdn Bhd`,
    ...facts,
  })
}

describe('every attempt names its supplier and our reference', () => {
  it('a payment without a timeline has its first attempt', () => {
    const { attempts, quote } = read({ waiting: [waiting({})] })
    expect(attempts).toMatchObject([
      {
        number: 1,
        reference: 'W77-1',
        provider: 'NUSA',
        providerName: 'NUSA Sdn Bhd',
        sentAt: at(0),
        questions: 0,
      },
    ])
    expect(quote).toMatchObject({ provider: 'NUSA', reference: 'W77-1', sentAt: at(0) })
  })

  it('an attempt that another supplier took over keeps its own supplier, and says why it ended', () => {
    const { attempts, quote } = read({
      provider: 'PULAU',
      serialNumber: 'SN9',
      changes: [
        change(3, {
          kind: 'attempt',
          attempt: 2,
          provider: 'PULAU',
          providerBefore: 'NUSA',
          detail: 'refused',
        }),
        change(5, { attempt: 2, code: 20 }),
      ],
    })
    expect(attempts).toMatchObject([
      {
        reference: 'W77-1',
        provider: 'NUSA',
        sentAt: at(0),
        answers: [{ kind: 'not_acted', text: 'refused' }],
      },
      { reference: 'W77-2', provider: 'PULAU', sentAt: at(3), answers: [{ kind: 'succeeded', at: at(5) }] },
    ])
    expect(quote).toEqual({
      provider: 'PULAU',
      providerName: 'PULAU Sdn Bhd',
      reference: 'W77-2',
      serialNumber: 'SN9',
      sentAt: at(3),
    })
  })

  it('undecided answers, repeats, late answers and contradictions stand with their attempt', () => {
    const { attempts } = read({
      changes: [
        change(1, { attempt: 1, detail: 'no answer' }),
        change(2, { kind: 'repeat', attempt: 1 }),
        change(3, { attempt: 1, code: 48 }),
        change(4, { kind: 'late', attempt: 1, code: 48 }),
        change(5, { kind: 'contradiction', attempt: 1, code: 20 }),
      ],
      waiting: [waiting({ questions: 3 })],
    })
    expect(attempts[0]?.answers.map(({ kind }) => kind)).toEqual([
      'undecided',
      'sent_again',
      'failed',
      'late',
      'contradiction',
    ])
    expect(attempts[0]).toMatchObject({ repeats: 1, questions: 3, nextQuestionAt: at(60) })
  })

  it('the attempt that succeeded is quoted, although another one is the latest', () => {
    const { quote } = read({
      changes: [
        change(3, { kind: 'attempt', attempt: 2, provider: 'PULAU', providerBefore: 'NUSA' }),
        change(4, { attempt: 1, code: 20 }),
      ],
      waiting: [waiting({ attempt: 2, provider: 'PULAU' })],
    })
    expect(quote).toMatchObject({ reference: 'W77-1', provider: 'NUSA' })
  })

  it('an order that certainly never left has no time of sending', () => {
    expect(read({ waiting: [waiting({ isUnsent: true })] }).attempts[0]?.sentAt).toBeNull()
  })
})
