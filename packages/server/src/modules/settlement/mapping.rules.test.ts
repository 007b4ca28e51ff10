import { describe, expect, it } from 'vitest'
import { parseMapping } from './mapping.rules.ts'

const FULL = {
  encoding: 'latin1',
  separator: ';',
  header_lines: 3,
  skip_first_cells: ['TOTAL'],
  reference: { column: 'Ref', of: 'theirs' },
  amount: { column: 4, of: 'cost', unit: 'hundredth', decimal: ',', thousands: '.' },
  currency: { is: 'USD', column: 'Currency' },
  state: { column: 'Status', values: { OK: 'succeeded', NOK: 'failed', WAIT: 'pending', FEE: 'skip' } },
  time: { column: 'When', format: 'dd/MM/yyyy HH:mm', zone: '+07:30' },
  serial_number: { column: 'SN' },
}
const LEAST = {
  reference: { column: 'Ref' },
  amount: { column: 'Amount' },
  state: { column: 'Status', values: { OK: 'succeeded' } },
}

describe('a mapping', () => {
  it('a mapping with everything in it is read as it says', () => {
    expect(parseMapping(FULL)).toEqual({
      problems: [],
      mapping: {
        encoding: 'latin1',
        separator: ';',
        headerLines: 3,
        skipFirstCells: ['TOTAL'],
        reference: { column: 'Ref', of: 'theirs' },
        amount: { column: 4, of: 'cost', unit: 'hundredth', decimal: ',', thousands: '.' },
        currency: { is: 'USD', column: 'Currency' },
        state: {
          column: 'Status',
          values: new Map([
            ['OK', 'succeeded'],
            ['NOK', 'failed'],
            ['WAIT', 'pending'],
            ['FEE', 'skip'],
          ]),
        },
        time: { column: 'When', format: 'dd/MM/yyyy HH:mm', offsetMinutes: 450 },
        serialNumber: { column: 'SN' },
      },
    })
  })

  it('a mapping with the least members takes the usual values for the rest', () => {
    expect(parseMapping(LEAST).mapping).toMatchObject({
      encoding: 'utf-8',
      separator: ',',
      headerLines: 1,
      reference: { of: 'ours' },
      amount: { of: 'payment', unit: 'ringgit', decimal: '.', thousands: '' },
      currency: { is: 'MYR', column: null },
      time: null,
      serialNumber: null,
    })
  })

  it.each<[string, unknown, string[]]>([
    ['no object', [], ['$']],
    ['nothing', undefined, ['$']],
    ['an empty object', {}, ['$.reference', '$.amount', '$.state']],
    [
      'unknown members',
      { ...LEAST, colour: 1, amount: { column: 1, color: 2 } },
      ['$.colour', '$.amount.color'],
    ],
    ['a long separator', { ...LEAST, separator: '::' }, ['$.separator']],
    ['a quote as separator', { ...LEAST, separator: '"' }, ['$.separator']],
    ['half a line of headings', { ...LEAST, header_lines: 0.5 }, ['$.header_lines']],
    ['a column 0', { ...LEAST, reference: { column: 0 } }, ['$.reference.column']],
    ['an unknown owner', { ...LEAST, reference: { column: 1, of: 'mine' } }, ['$.reference.of']],
    ['one sign for two things', { ...LEAST, amount: { column: 1, thousands: '.' } }, ['$.amount.thousands']],
    ['another currency for payments', { ...LEAST, currency: { is: 'USD' } }, ['$.amount.of']],
    ['a currency that is none', { ...LEAST, currency: { is: 'usd' } }, ['$.currency.is']],
    ['no states', { ...LEAST, state: { column: 1, values: {} } }, ['$.state.values']],
    ['a wrong state', { ...LEAST, state: { column: 1, values: { A: 'won' } } }, ['$.state.values.A']],
    [
      'a wrong time',
      { ...LEAST, time: { column: 1, format: 'x', zone: 'MYT' } },
      ['$.time.format', '$.time.zone'],
    ],
    [
      'headings without a heading line',
      { ...LEAST, header_lines: 0 },
      ['$.reference.column', '$.amount.column', '$.state.column'],
    ],
  ])('a mapping with %s is refused with the path of every mistake', (_, input, paths) => {
    const { mapping, problems } = parseMapping(input)
    expect(mapping).toBeUndefined()
    expect(problems.map(({ path }) => path).sort()).toEqual([...paths].sort())
  })
})
