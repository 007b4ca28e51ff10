import { describe, expect, it } from 'vitest'
import { percentEncode, UnwritableValue } from './filters.rules.ts'
import { readTemplate, renderText, renderValue } from './template.rules.ts'
import type { Template, Values, Vocabulary } from './types.ts'

const WORDS: Vocabulary = {
  account: 'text',
  abroad: 'text',
  country: 'text',
  ref: 'text',
  ref2: 'text',
  amount: 'money',
  at: 'time',
  'header.': 'text',
  'product.': 'text',
}
const VALUES: Values = {
  account: '60123456789',
  abroad: '6281234567',
  country: 'IDN',
  'product.calling_code': '62',
  ref: 'W123-1',
  ref2: null,
  amount: 105_000n,
  at: new Date('2026-11-14T20:30:05.042Z'),
  'header.x-id': 'abc',
}

function template(source: string): Template {
  const reading = readTemplate(source, WORDS, true)
  if (!reading.ok) throw new Error(reading.problem)
  return reading.template
}

describe('a template', () => {
  it.each<[string, unknown]>([
    ['plain text', 'plain text'],
    ['', ''],
    ['to {{account}}, {{ amount }}', 'to 60123456789, 10.50'],
    ['{{account|last:4}}', '6789'],
    ['{{account|first:2}}', '60'],
    ['{{account|without_prefix:6}}', '0123456789'],
    ['{{account|with_prefix:+}}', '+60123456789'],
    ['{{account|with_prefix:60}}', '60123456789'],
    ['{{account|with_prefix:+|urlencode}}', '%2B60123456789'],
    ['{{header.x-id|upper|base64}}', 'QUJD'],
    ['{{amount|cents}}', '1050'],
    ['{{amount|cents|number}}', 1050],
    ['{{amount|number}}', 10.5],
    ['{{amount|plain}}', '10.5'],
    ['{{ref2}}', ''],
    ['{{ref2|or_null}}', null],
    ['{{ref2|or_absent}}', undefined],
    ['{{ref2|upper|or_absent}}', undefined],
    ['{{account|or_absent}}', '60123456789'],
    ['{{account|number}}', 60123456789],
    ['{{at}}', '2026-11-14T20:30:05.042Z'],
    ['{{at|unix}}', '1794688205'],
    ['{{at|unix_ms|number}}', 1794688205042],
    ['{{at|format:yyyy-MM-dd HH:mm:ss}}', '2026-11-15 04:30:05'],
    ['{{at|utc:yyyyMMddTHHmmss.SSSZ}}', '20261114T203005.042Z'],
    ['{{at|format@+01:00:yyyyMMddHHmm}}', '202611142130'],
    ['{{at|format@-12:00:yyyy-MM-dd HH:mm}}', '2026-11-14 08:30'],
    ['{{at|format@Z:HH:mm:ss}}', '20:30:05'],
    ['{{ref|alnum}}', 'W1231'],
    ['{{ref|before:-}}', 'W123'],
    ['{{ref|after:-}}', '1'],
    ['{{ref|before::}}', 'W123-1'],
    ['{{ref|after::|or_absent}}', undefined],
    ['{{ref|after::|or_null}}', null],
    ['{{product.plan|number|or_absent}}', undefined],
    ['{{account|e164}}', '+60123456789'],
    ['{{account|e164:60}}', '+60123456789'],
    ['{{account|national:60}}', '0123456789'],
    ['{{abroad|e164:product.calling_code}}', '+6281234567'],
    ['{{abroad|national:product.calling_code}}', '081234567'],
    ['{{country|calling_code}}', '62'],
    ['{"a":"{{account}}"}', '{"a":"60123456789"}'],
  ])('%s gives %s', (source, written) => {
    expect(renderValue(template(source), VALUES)).toBe(written)
  })

  it.each([
    ['{{nothing}}', 'no placeholder'],
    ['{{}}', 'no placeholder'],
    ['{{toString}}', 'no placeholder'],
    ['{{header.}}', 'no placeholder'],
    ['{{account', 'without its counterpart'],
    ['account}}', 'without its counterpart'],
    ['{{account|shout}}', 'no filter'],
    ['{{account|e164:0}}', 'calling code'],
    ['{{account|alnum:x}}', 'takes no argument'],
    ['{{account|before}}', 'needs an argument'],
    ['{{at|format@+15:00:yyyy}}', 'takes a zone'],
    ['{{at|format@+1:00:yyyy}}', 'takes a zone'],
    ['{{at|format@Z:}}', 'needs a format'],
    ['{{at|utc@Z:yyyy}}', 'no filter'],
    ['{{account|constructor}}', 'no filter'],
    ['{{account|cents}}', 'is for money'],
    ['{{account|unix}}', 'is for time'],
    ['{{at|upper}}', 'is for text'],
    ['{{account|first}}', 'needs a number'],
    ['{{account|first:0}}', 'needs a number'],
    ['{{account|upper:x}}', 'takes no argument'],
    ['{{at|format:YYYY}}', 'not Y'],
    ['{{at|format:}}', 'needs a format'],
    ['a{{account|number}}', 'one placeholder'],
    ['{{account}}{{ref2|or_null}}', 'one placeholder'],
  ])('%s is refused when it is read: %s', (source, problem) => {
    const reading = readTemplate(source, WORDS, true)
    expect(reading.ok ? '' : reading.problem).toContain(problem)
  })

  it('numbers, nulls and absence are for JSON alone', () => {
    expect(readTemplate('{{account|number|boolean}}', WORDS, true).ok).toBe(false)
    for (const source of [
      '{{account|number}}',
      '{{account|boolean}}',
      '{{ref2|or_null}}',
      '{{ref2|or_absent}}',
    ]) {
      expect(readTemplate(source, WORDS).ok).toBe(false)
    }
  })

  it.each<[string, Values]>([
    ['{{amount|cents}}', { amount: 100_050n }],
    ['{{ref|after::}}', { ref: 'W123-1' }],
    ['{{product.plan}}', {}],
    ['{{amount|whole}}', { amount: 105_000n }],
    ['{{account|number}}', { account: '0123' }],
    ['{{account|number}}', { account: '12345678901234567' }],
    ['{{account|number}}', { account: '1e3' }],
    ['{{account|number}}', { account: '' }],
    ['{{account|e164:product.code}}', { account: '0123456789' }],
    ['{{account|e164:product.code}}', { account: '0123456789', 'product.code': '' }],
    ['{{account|e164:product.code}}', { account: '0123456789', 'product.code': 'MY' }],
    ['{{country|calling_code}}', { country: 'XX' }],
    ['{{account|boolean}}', { account: 'yes' }],
    ['{{account|boolean}}', { account: '' }],
    ['{{account}}', {}],
    ['{{account|or_absent}}', {}],
    ['{{account|urlencode}}', { account: '\ud800' }],
  ])('a template does not write a value that would be changed or missing: %s of %o', (source, values) => {
    expect(() => renderValue(template(source), values)).toThrow(UnwritableValue)
  })

  it('a value is never taken for a template', () => {
    expect(renderText(template('{{account}}'), { account: '{{ic_number}}' })).toBe('{{ic_number}}')
  })

  it('percent-encoding leaves nothing that means something in a URL', () => {
    expect(percentEncode("a/b?c#d&e=f+g h%i'()*!é;:@")).toBe(
      'a%2Fb%3Fc%23d%26e%3Df%2Bg%20h%25i%27%28%29%2A%21%C3%A9%3B%3A%40',
    )
  })
})
