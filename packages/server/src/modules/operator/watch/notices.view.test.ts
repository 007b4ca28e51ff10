import { expect, it } from 'vitest'
import type { Notice } from '../../network/types.ts'
import { noticeView } from './notices.view.ts'

const AT = new Date('2026-11-15T05:00:00.500Z')
const BEHIND_MS = AT.getTime() - 40

const NOTICE: Notice = {
  id: 1n,
  target: { kind: 'product', code: 'KOPI' },
  message: 'The machine is broken',
  startsAt: AT,
  endsAt: null,
  stopsPayments: true,
  createdBy: 'desk@example.com',
  createdAt: AT,
  endedAt: null,
}

it('a notice that begins as it is posted is in force, on a node whose clock is behind the database’s', () => {
  expect(noticeView(NOTICE, BEHIND_MS).state).toBe('in_force')
})

it('a notice that was just ended is over, on such a node too', () => {
  const endedAt = new Date(AT.getTime() + 100)
  expect(noticeView({ ...NOTICE, endedAt }, BEHIND_MS).state).toBe('over')
})

it('a notice for later is still to come', () => {
  expect(noticeView({ ...NOTICE, startsAt: new Date(AT.getTime() + 1) }, BEHIND_MS).state).toBe('scheduled')
})
