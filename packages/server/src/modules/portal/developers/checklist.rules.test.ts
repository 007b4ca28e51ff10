import { expect, it } from 'vitest'
import { checklistOf, earliest, STEPS } from './checklist.rules.ts'

const AT = new Date('2026-11-16T08:00:00Z')
const NONE = Object.fromEntries(STEPS.map(({ code }) => [code, null])) as never

it('a payment makes an account live in production, and not in staging', () => {
  const paid = { ...(NONE as object), first_payment: AT } as never
  const liveAt = (isProduction: boolean) =>
    checklistOf({ ...(paid as object), isProduction } as never).steps.find(({ code }) => code === 'go_live')
      ?.doneAt
  expect(liveAt(true)).toEqual(AT)
  expect(liveAt(false)).toBeNull()
})

it('a checklist is done when every step of it is', () => {
  const all = Object.fromEntries(STEPS.map(({ code }) => [code, AT]))
  expect(checklistOf({ ...all, isProduction: true } as never).isDone).toBe(true)
  expect(checklistOf({ ...all, allowlist: null, isProduction: true } as never).isDone).toBe(false)
})

it('the first of several times counts', () => {
  expect(earliest([null, new Date(5), new Date(3)])).toEqual(new Date(3))
  expect(earliest([null])).toBeNull()
})
