import { describe, expect, it } from 'vitest'
import { sampleOption } from '../../../testing/catalog/catalog-samples.ts'
import type { EffectiveOption } from '../model/types.ts'
import { normalise, searchOptions } from './option-search.rules.ts'

function listOf(...labels: readonly (readonly [code: string, label: string])[]): EffectiveOption[] {
  return labels.map(([code, label]) => ({
    option: sampleOption({ code, label }),
    isActive: true,
    money: null,
  }))
}

const BILLERS = listOf(
  ['4421', 'Majlis Perbandaran Kajang'],
  ['1001', 'Air Selangor Sdn. Bhd.'],
  ['5454', 'T.N.B. (Tenaga Nasional Berhad)'],
  ['1002', 'Selangor Zakat'],
  ['90210', 'Kajang Café'],
  ['7', 'Persatuan Air Kajang'],
)

const found = (search: string, options = BILLERS) =>
  searchOptions(options, search).map(({ option }) => option.code)

describe('a search among options', () => {
  it('finds the thing itself before its beginning, then beginnings of words, then anything inside', () => {
    expect(found('kajang')).toEqual(['90210', '4421', '7'])
    expect(found('selangor')).toEqual(['1002', '1001'])
    expect(found('angor')).toEqual(['1001', '1002'])
    expect(found('kajang cafe')).toEqual(['90210'])
  })

  it('finds by all words in any order, and by none that is missing', () => {
    expect(found('sdn air')).toEqual(['1001'])
    expect(found('air kaj')).toEqual(['7'])
    expect(found('air zakat')).toEqual([])
  })

  it('does not care for case, accents, signs and spaces', () => {
    expect(found('  CAFÉ ')).toEqual(['90210'])
    expect(found('cafe')).toEqual(['90210'])
    expect(found('tnb')).toEqual(['5454'])
    expect(found('t n b')).toEqual(['5454'])
    expect(normalise('Ａir—Sełang0r!')).toBe('air sełang0r')
  })

  it('finds by code, whole codes first', () => {
    expect(found('100')).toEqual(['1001', '1002'])
    expect(found('7')).toEqual(['7'])
    expect(found('5454')).toEqual(['5454'])
  })

  it('a search among options of nothing but signs finds nothing', () => {
    expect(found('***')).toEqual([])
    expect(found('.*')).toEqual([])
  })

  it('follows the list that it is given, not an earlier one', () => {
    expect(found('kajang', listOf(['4421', 'Majlis Bandaraya Ipoh']))).toEqual([])
  })
})
