import { describe, expect, it } from 'vitest'
import type { OutputReading } from '../language/types.ts'
import { dayOf, outputOf } from './output.rules.ts'

describe('the output of a success', () => {
  const path = (name: string, isRequired = false) => ({ paths: [['out', name]], isRequired })
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
    for (const longer of [{ link: out.link.padEnd(2_001, 't') }, { pin: '1'.repeat(501) }]) {
      expect(outputOf(READING, { out: { ...out, ...longer } })).toMatchObject({ ok: false })
    }
  })

  it('has a note without the end of longer instructions, and no half of a character', () => {
    const note = `${'n'.repeat(1_999)}🙂 more`
    const found = outputOf(READING, { out: { serial: 'S', note } })
    expect(found).toMatchObject({ ok: true, output: { note: 'n'.repeat(1_999) } })
  })

  it('is read at the first of several paths that has a value', () => {
    const reading = {
      ...READING,
      pin: {
        paths: [
          ['card', 'pin'],
          ['card', 'number'],
        ],
        isRequired: true,
      },
    }
    const read = (card: object) => outputOf(reading, { out: { serial: 'S' }, card })
    expect(read({ pin: ' ', number: '77' })).toMatchObject({ ok: true, output: { pin: '77' } })
    expect(read({ pin: null, number: '77' })).toMatchObject({ ok: true, output: { pin: '77' } })
    expect(read({ pin: {}, number: '77' })).toMatchObject({ ok: false })
    expect(read({})).toMatchObject({ ok: false })
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
