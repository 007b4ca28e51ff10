import { describe, expect, it } from 'vitest'
import { textAt, valueAt } from '../language/paths.rules.ts'
import type { Decision, OutputReading, ResponseReading, SubmitName, Verdict } from '../language/types.ts'
import { dayOf, judge, judgeQuestion, messageAt, moneyAt, outputOf } from './mapping.rules.ts'

function verdict(outcome: SubmitName, code: Verdict['code'] = null): Verdict<SubmitName> {
  return { outcome, code, reason: null }
}

const CODES: Decision<SubmitName> = {
  paths: [['code']],
  table: new Map([['E7', verdict('not_acted', 45)]]),
  otherwise: verdict('failed', 48),
}

const RESPONSE: ResponseReading<SubmitName> = {
  outcome: {
    paths: [['data', 'status'], ['error']],
    table: new Map<string, Verdict<SubmitName> | Decision<SubmitName>>([
      ['00', verdict('succeeded')],
      ['7', verdict('pending')],
      ['true', verdict('succeeded')],
      ['bad', CODES],
      ['closed', verdict('not_acted', 47)],
    ]),
    otherwise: null,
  },
  httpStatus: new Map([[429, verdict('not_acted', 47)]]),
  reason: [['message']],
  reference: null,
  list: null,
  positions: [],
}
const VALUES = { reference: 'W1-1' }

const said = (json: unknown, status = 200, response = RESPONSE) => {
  const judged = judge(response, { status, json }, VALUES)
  return judged.kind === 'decided' ? judged.verdict.outcome : 'undecided'
}

describe('an answer', () => {
  it.each<[string, unknown, number, string]>([
    ['a mapped value', { data: { status: '00' } }, 200, 'succeeded'],
    ['a mapped number', { data: { status: 7 } }, 200, 'pending'],
    ['a mapped boolean', { data: { status: true } }, 201, 'succeeded'],
    ['the second path, when the first leads nowhere', { error: 'closed' }, 412, 'not_acted'],
    [
      'the first path, when both lead somewhere',
      { data: { status: '00' }, error: 'closed' },
      200,
      'succeeded',
    ],
    ['an inner table', { error: 'bad', code: 'E7' }, 400, 'not_acted'],
    ['an inner value that nobody knows', { error: 'bad', code: 'E9' }, 400, 'failed'],
    ['an inner silence', { error: 'bad' }, 400, 'failed'],
    ['a listed status, when nothing else speaks', undefined, 429, 'not_acted'],
    ['a listed status, beside JSON without an outcome', { hello: 1 }, 429, 'not_acted'],
  ])('%s decides', (_, json, status, outcome) => {
    expect(said(json, status)).toBe(outcome)
  })

  it.each<[string, unknown, number]>([
    ['a value that is not in the table', { data: { status: '01' } }, 200],
    ['a value that is nearly in the table', { data: { status: '00 ' } }, 200],
    ['an object where a value should be', { data: { status: { '00': 1 } } }, 200],
    ['a list where a value should be', { data: { status: ['00'] } }, 200],
    ['null', { data: { status: null } }, 200],
    ['no JSON', undefined, 200],
    ['JSON that is no object', '00', 200],
    ['an empty object', {}, 200],
    ['a success in a refusal', { data: { status: '00' } }, 400],
    ['anything in a server error', { data: { status: '00' } }, 500],
    ['a failure in a server error', { error: 'bad', code: 'E9' }, 502],
    ['anything in a redirect', { data: { status: '00' } }, 302],
    ['a value that is not in the table, with a listed status', { error: 'slow down' }, 429],
    ['a name that every object has', { data: { status: 'constructor' } }, 200],
  ])('%s decides nothing', (_, json, status) => {
    expect(said(json, status)).toBe('undecided')
  })

  it('about another order decides nothing; one that has none need not name it', () => {
    const response = { ...RESPONSE, reference: ['ref'] }
    expect(said({ data: { status: '00' }, ref: 'W1-1' }, 200, response)).toBe('succeeded')
    expect(said({ data: { status: '00' }, ref: 'W2-1' }, 200, response)).toBe('undecided')
    expect(said({ data: { status: '00' } }, 200, response)).toBe('undecided')
    expect(said({ error: 'closed' }, 400, response)).toBe('not_acted')
    expect(said({ error: 'closed', ref: 'W2-1' }, 400, response)).toBe('undecided')
  })
})

describe('an answer to a question', () => {
  const asked = (status: number, json: unknown, response = RESPONSE) => {
    const judged = judgeQuestion(response, { status, json }, VALUES)
    return judged.kind === 'decided' ? judged.verdict.outcome : judged.reason
  }
  const FAILURE = { error: 'bad', code: 'E9' }

  it.each([401, 403, 407, 408, 425])('with %i decides nothing about the order', (status) => {
    expect(said(FAILURE, status)).toBe('failed')
    expect(asked(status, FAILURE)).toBe(`the supplier refused the question with ${status}`)
  })

  it('a refused question decides by the status alone, where the configuration lists it', () => {
    expect(asked(429, FAILURE)).toBe('not_acted')
    const outcome = {
      ...RESPONSE.outcome,
      paths: [['$status']],
      table: new Map([['403', verdict('failed', 48)]]),
    }
    expect(asked(403, {}, { ...RESPONSE, outcome })).toBe('failed')
  })

  it.each([200, 400, 404, 422])('with %i decides as any answer does', (status) => {
    expect(asked(status, FAILURE)).toBe('failed')
  })
})

describe('a path', () => {
  it('leads through objects and lists to what was sent, and to nothing else', () => {
    const json = JSON.parse('{"a":[{"b":"c"}],"__proto__":{"x":1}}')
    expect(valueAt(json, ['a', '0', 'b'])).toBe('c')
    expect(valueAt(json, ['a', '$only', 'b'])).toBe('c')
    expect(valueAt(json, ['__proto__', 'x'])).toBe(1)
    for (const path of [
      ['a', 'length'],
      ['a', '1'],
      ['a', '00'],
      ['a', 'b'],
      ['$only'],
      ['toString'],
      ['a', '0', 'b', '0'],
      ['constructor', 'name'],
    ]) {
      expect(valueAt(json, path)).toBeUndefined()
    }
  })

  it('a path to a number that was not read exactly leads to nothing', () => {
    expect(textAt({ n: 9007199254740991 }, ['n'])).toBe('9007199254740991')
    expect(textAt(JSON.parse('{"n":12345678901234567890}'), ['n'])).toBeUndefined()
    expect(textAt({ n: 1e21 }, ['n'])).toBeUndefined()
    expect(textAt({ n: 10.5 }, ['n'])).toBe('10.5')
  })

  it('a path to text gives one line', () => {
    expect(messageAt({ m: ' a\r\n\u0000b\u202e ' }, [['m']])).toBe('a b')
    expect(messageAt({ m: ' ' }, [['m']])).toBeUndefined()
    expect(messageAt({ m: ' ', why: 5, n: 'x' }, [['no'], ['m'], ['why'], ['n']])).toBe('5')
  })
})

describe('the output of a success', () => {
  const path = (name: string, isRequired = false) => ({ path: ['out', name], isRequired })
  const READING: OutputReading = {
    serialNumber: path('serial', true),
    pin: path('pin'),
    expiry: { ...path('expiry'), format: 'dd/MM/yyyy' },
    voucherLink: path('link'),
    note: path('note'),
  }

  it('may have a note of several lines, and characters of every script', () => {
    const out = { serial: 'S', note: 'Dial *118#\r\n\tthen 输入 🙂' }
    expect(outputOf(READING, { out })).toMatchObject({ ok: true, output: { note: out.note } })
  })

  it('is read as configured, and what is not there is empty', () => {
    const out = {
      serial: 12345,
      pin: ' 0012 ',
      expiry: '31/12/2027',
      link: 'https://v.example.com/x',
      note: 'x',
    }
    expect(outputOf(READING, { out })).toEqual({
      ok: true,
      output: {
        serialNumber: '12345',
        pin: '0012',
        expiry: '20271231',
        voucherLink: 'https://v.example.com/x',
        note: 'x',
      },
    })
    expect(outputOf(READING, { out: { serial: 'S', pin: null, expiry: '' } })).toMatchObject({
      ok: true,
      output: { pin: '', expiry: '', voucherLink: '' },
    })
  })

  it('may have a link and a note that are longer than a serial number', () => {
    const out = { serial: 'S', link: `https://v.example.com/${'t'.repeat(1_900)}`, note: 'n'.repeat(2_000) }
    const output = { voucherLink: out.link, note: out.note }
    expect(outputOf(READING, { out })).toMatchObject({ ok: true, output })
    for (const longer of [
      { link: out.link.padEnd(2_001, 't') },
      { note: `${out.note}n` },
      { pin: '1'.repeat(501) },
    ]) {
      expect(outputOf(READING, { out: { ...out, ...longer } })).toMatchObject({ ok: false })
    }
  })

  it('is empty where the supplier sends nothing but spaces', () => {
    const out = { serial: 'S', pin: ' ', expiry: '  ', link: ' ', note: '\t' }
    const output = { pin: '', expiry: '', voucherLink: '', note: '' }
    expect(outputOf(READING, { out })).toMatchObject({ ok: true, output })
  })

  it.each<[string, Record<string, unknown>]>([
    ['what is required is missing', { pin: '1' }],
    ['what is required is nothing but spaces', { serial: ' \t ', pin: '1' }],
    ['a PIN is a number too long to be read exactly', { serial: 'S', pin: 12345678901234567000 }],
    ['a PIN is a number with a fraction', { serial: 'S', pin: 1.5 }],
    ['a PIN is an object', { serial: 'S', pin: { value: '1' } }],
    ['a day is none of the calendar', { serial: 'S', expiry: '30/02/2027' }],
    ['a day has another format', { serial: 'S', expiry: '2027-12-31' }],
    ['a link is a script', { serial: 'S', link: 'javascript:alert(1)' }],
    ['a note goes on for ever', { serial: 'x'.repeat(501) }],
    ['a serial number holds NUL', { serial: 'S\u00001' }],
    ['a PIN holds a line break', { serial: 'S', pin: '12\n34' }],
    ['a PIN holds half a character', { serial: 'S', pin: '12\ud83d' }],
    ['a link holds a control character', { serial: 'S', link: 'https://v.example.com/\u0007x' }],
    ['a note holds NUL', { serial: 'S', note: 'a\u0000b' }],
  ])('is not believed when %s', (_, out) => {
    const found = outputOf(READING, { out })
    expect(found.ok).toBe(false)
    for (const value of Object.values(out)) expect(JSON.stringify(found)).not.toContain(`"${value}"`)
  })

  it.each([
    ['20271231', 'yyyyMMdd', '20271231'],
    ['2027-12-31T23:59:59.000Z', 'yyyy-MM-ddTHH:mm:ss.SSSZ', '20271231'],
    ['2027.12.31', 'yyyy.MM.dd', '20271231'],
    ['2027x12x31', 'yyyy.MM.dd', undefined],
    ['1830268800', 'unix', '20280101'],
    ['1830268800000', 'unix_ms', '20280101'],
    ['99999999999999', 'unix', undefined],
    ['1830268800000', 'unix', undefined],
    ['253402271999', 'unix', '99991231'],
    ['soon', 'unix', undefined],
  ])('the day of %s as %s is %s', (value, format, day) => {
    expect(dayOf(value, format)).toBe(day)
  })
})

describe('an amount', () => {
  it.each<[unknown, 'ringgit' | 'cents', bigint | undefined]>([
    ['1234.50', 'ringgit', 12_345_000n],
    [1234.5, 'ringgit', 12_345_000n],
    ['-5', 'ringgit', -50_000n],
    [1050, 'cents', 105_000n],
    ['1050', 'cents', 105_000n],
    ['92233720368547758', 'cents', 9_223_372_036_854_775_800n],
    ['92233720368547759', 'cents', undefined],
    ['10.50', 'cents', undefined],
    ['1,234.50', 'ringgit', undefined],
    ['1e3', 'ringgit', undefined],
    ['RM 5', 'ringgit', undefined],
    [null, 'ringgit', undefined],
    ['', 'ringgit', undefined],
    ['--5', 'ringgit', undefined],
  ])('%s in %s is %s', (value, unit, amount) => {
    expect(moneyAt({ a: value }, { path: ['a'], unit })).toBe(amount)
  })
})
