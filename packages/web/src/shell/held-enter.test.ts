import { expect, it } from 'vitest'
import { isHeldEnter } from './held-enter.ts'

const HELD = { key: 'Enter', repeat: true, ctrlKey: false, metaKey: false }

it('a held Enter is one that comes again by itself', () => {
  expect(isHeldEnter(HELD, false)).toBe(true)
  expect(isHeldEnter({ ...HELD, repeat: false }, false)).toBe(false)
  expect(isHeldEnter({ ...HELD, key: 'j' }, false)).toBe(false)
})

it('a held Enter in a text makes new lines, and with Ctrl it is held all the same', () => {
  expect(isHeldEnter(HELD, true)).toBe(false)
  expect(isHeldEnter({ ...HELD, ctrlKey: true }, true)).toBe(true)
})
