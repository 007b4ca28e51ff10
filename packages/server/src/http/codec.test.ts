import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { BOOLEAN, checked, nullable, text, wholeNumber } from '../lib/input/fields.ts'
import { input, member, optionalMember, resource } from './codec.ts'

const WISH = input({
  shopName: member(text(1, 10)),
  weight: optionalMember(checked<number | null>(nullable(wholeNumber(0, 100)))),
  isOpen: optionalMember(BOOLEAN),
})

describe('an input', () => {
  it('an input is read by the names of the wire, and members that may be left out are', () => {
    expect(WISH.read({ shop_name: 'Siti', weight: null })).toEqual({ shopName: 'Siti', weight: null })
    expect(WISH.read({ shop_name: 'Siti' })).toEqual({ shopName: 'Siti' })
  })

  it('options of a command are texts: numbers and flags among them become JSON', () => {
    const spelt = WISH.fromTexts({ shop_name: '7', weight: '30', is_open: true })
    expect(spelt).toEqual({ shop_name: '7', weight: 30, is_open: true })
    expect(WISH.read(spelt)).toEqual({ shopName: '7', weight: 30, isOpen: true })
  })

  it.each(['many', '1e2', '101', '0x10', ''])(
    '%j as a weight is refused, with the name of the wire',
    (weight) => {
      expect(() => WISH.read(WISH.fromTexts({ shop_name: 'Siti', weight }))).toThrow(
        expect.objectContaining({ status: 400, fields: { weight: [expect.any(String)] } }),
      )
    },
  )

  it('an unreadable name of a thing is answered like a thing that does not exist', () => {
    const key = input({ code: member(wholeNumber(1, 9), { identifies: 'shop' }) })
    expect(() => key.read({ code: 'x' })).toThrow(expect.objectContaining({ status: 404 }))
  })

  it('schemas of an input are named as on the wire', () => {
    expect(Object.keys(WISH.properties())).toEqual(['shop_name', 'weight', 'is_open'])
    expect(Object.keys(WISH.properties('isOpen'))).toEqual(['is_open'])
  })
})

it('a resource shows every member that its schema has', () => {
  const shop = resource<{ id: bigint }, number>()('Shop', {
    id: [Type.String(), ({ id }) => String(id)],
    age: [Type.Integer(), (_, age) => age],
  })
  expect(shop.encode({ id: 4n }, 7)).toEqual({ id: '4', age: 7 })
  expect(Object.keys(shop.schema.properties)).toEqual(['id', 'age'])
})
