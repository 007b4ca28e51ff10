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
    names: [],
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

  it('an attempt has the reference and the id under which its supplier knows it, where those are its own', () => {
    const names = [{ attempt: 1, reference: '202611161200W77A1', supplierId: 'T-9' }]
    const { attempts, quote } = read({ names })
    expect(attempts).toMatchObject([{ reference: '202611161200W77A1', supplierId: 'T-9' }])
    expect(quote.reference).toBe('202611161200W77A1')
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

describe('the attempt that is quoted', () => {
  const second = change(3, { kind: 'attempt', attempt: 2, provider: 'PULAU', providerBefore: 'NUSA' })
  const third = change(4, { kind: 'attempt', attempt: 3, provider: 'LAUT', providerBefore: 'PULAU' })
  const quoted = (...changes: AttemptChange[]) =>
    read({ changes: [second, third, ...changes] }).quote.reference

  it('is the last one as long as none has decided', () => {
    expect(quoted()).toBe('W77-3')
    expect(quoted(change(5, { attempt: 1, code: 1 }))).toBe('W77-3')
  })

  it('is the one that succeeded, before one that failed, and whatever came later', () => {
    expect(quoted(change(5, { attempt: 1, code: 48 }))).toBe('W77-1')
    expect(quoted(change(5, { attempt: 2, code: 20 }), change(6, { attempt: 1, code: 48 }))).toBe('W77-2')
    expect(quoted(change(5, { attempt: 2, code: 48 }), change(6, { attempt: 1, code: 1 }))).toBe('W77-2')
    expect(quoted(change(5, { attempt: 2, code: 48 }), change(6, { attempt: 1, code: 53 }))).toBe('W77-2')
  })

  it('is decided by states of an attempt, not by other lines nor by states of the payment', () => {
    const failed = change(5, { attempt: 2, code: 48 })
    expect(quoted(failed, change(6, { kind: 'late', attempt: 1, code: 20 }))).toBe('W77-2')
    expect(quoted(failed, change(6, { attempt: null, code: 20 }))).toBe('W77-2')
  })
})

describe('the facts of an attempt', () => {
  it('lines of the payment as such count as the first attempt', () => {
    expect(read({ changes: [change(1, { kind: 'route', attempt: null })] }).attempts).toHaveLength(1)
  })

  it('its supplier is the one it was begun at, else the one it was moved from, else the one that is asked', () => {
    const begun = change(3, { kind: 'attempt', attempt: 2, provider: 'PULAU', providerBefore: 'NUSA' })
    const moved = change(4, { kind: 'attempt', attempt: 3, provider: 'LAUT', providerBefore: 'OTHER' })
    const noted = change(2, { kind: 'note', attempt: 2, providerBefore: 'WRONG' })
    const providers = (facts: Partial<AttemptFacts>) => read(facts).attempts.map(({ provider }) => provider)
    expect(providers({ changes: [noted, begun, moved] })).toEqual(['NUSA', 'PULAU', 'LAUT'])
    expect(providers({ provider: 'LAUT', waiting: [waiting({ provider: 'PULAU' })] })).toEqual(['PULAU'])
    expect(providers({ provider: 'LAUT' })).toEqual(['LAUT'])
  })

  it('an order that was sent again has a time of sending, although the last sending did not leave', () => {
    const changes = [change(2, { kind: 'repeat', attempt: 1 })]
    expect(read({ changes, waiting: [waiting({ isUnsent: true })] }).attempts[0]?.sentAt).toEqual(at(0))
  })

  it('an attempt that is not asked about has no questions', () => {
    expect(read({}).attempts[0]).toMatchObject({ questions: null, nextQuestionAt: null })
  })

  it('each line has its kind, and a kind of a newer version is a note', () => {
    const kinds = ['route', 'output', 'callback', 'settlement', 'of a newer version']
    const changes = [
      change(1, { attempt: 1, code: 0 }),
      change(2, { attempt: 1, code: 53 }),
      ...kinds.map((kind, index) => change(3 + index, { kind, attempt: 1 })),
    ]
    expect(read({ changes }).attempts[0]?.answers.map(({ kind }) => kind)).toEqual([
      'undecided',
      ...Array(6).fill('note'),
    ])
  })
})
