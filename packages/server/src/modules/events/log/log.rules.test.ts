import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../../lib/input/forms.ts'
import { parseUuid } from '../../../lib/input/ids.ts'
import { cursorOf, readLogParameters } from './log.rules.ts'

const ID = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'

describe('a question to the log', () => {
  it('is by default the newest 50 that are finished', () => {
    expect(readLogParameters(parseQuery(''))).toEqual({
      statuses: ['success', 'failed'],
      fromMs: null,
      toMs: null,
      search: null,
      before: null,
      limit: 50,
    })
    expect(readLogParameters(parseQuery('status=&from=&to=&search=&limit=&cursor='))).toMatchObject({
      limit: 50,
      search: null,
    })
  })

  it.each([
    ['all', ['success', 'failed']],
    ['success', ['success']],
    ['failed', ['failed']],
    ['pending', ['pending']],
  ])('status=%s means %j', (status, statuses) => {
    expect(readLogParameters(parseQuery(`status=${status}`)).statuses).toEqual(statuses)
  })

  it('takes the ends of days by the local clock, and both ends count', () => {
    expect(readLogParameters(parseQuery('from=2026-03-01&to=2026-03-02'))).toMatchObject({
      fromMs: Date.parse('2026-03-01T00:00:00.000+08:00'),
      toMs: Date.parse('2026-03-02T23:59:59.999+08:00'),
    })
    const one = readLogParameters(parseQuery('from=2026-03-01&to=2026-03-01'))
    expect((one.toMs ?? 0) - (one.fromMs ?? 0)).toBe(24 * 3_600_000 - 1)
  })

  it('takes a cursor back as it was given out', () => {
    expect(readLogParameters(parseQuery(`cursor=${cursorOf(ID)}`)).before).toBe(ID)
  })

  it.each([
    ['status=superseded', 'status'],
    ['status=Failed', 'status'],
    ['status=failed&status=success', 'status'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1.5', 'limit'],
    ['from=2026-02-30', 'from'],
    ['from=yesterday', 'from'],
    ['to=2026-13-01', 'to'],
    ['to=2026-03-01T12:00:00', 'to'],
    ['to=2026-03-01T25:00:00Z', 'to'],
    ['from=2026-02-30T00:00:00Z', 'from'],
    ['from=2026-03-02&to=2026-03-01', 'to'],
    ['cursor=abc', 'cursor'],
    [`cursor=${ID}`, 'cursor'],
    [`cursor=${cursorOf(ID)}=`, 'cursor'],
    [`search=${'e'.repeat(101)}`, 'search'],
  ])('%s is refused with the parameter named', (query, name) => {
    expect(() => readLogParameters(parseQuery(query))).toThrow(
      expect.objectContaining({ status: 400, fields: { [name]: [expect.stringMatching(/\S/)] } }),
    )
  })
})

describe('the id of a delivery', () => {
  it('is a UUID in any letter case, and nothing else', () => {
    expect(parseUuid(ID.toUpperCase())).toBe(ID)
    for (const text of ['', '1', ID.slice(1), `${ID}0`, ID.replaceAll('-', ''), `{${ID}}`, `${ID}\n`]) {
      expect(parseUuid(text), text).toBeUndefined()
    }
  })
})
