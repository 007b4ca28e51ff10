import { describe, expect, it } from 'vitest'
import { parseNetwork } from '../../lib/addresses.ts'
import type { StrangeForward } from './forwarding.ts'
import { createForwardingWatch } from './forwarding.ts'

function watch(...trusted: string[]) {
  const reports: StrangeForward[] = []
  const networks = trusted.map((text) => parseNetwork(text)).filter((each) => each !== undefined)
  return { reports, inspect: createForwardingWatch(networks, (report) => reports.push(report)) }
}

describe('forwarding headers', () => {
  it.each(['x-forwarded-for', 'forwarded', 'x-real-ip'])(
    'are reported when no trusted proxy sent %s',
    (name) => {
      const { reports, inspect } = watch('10.0.0.0/8')
      inspect('::ffff:192.0.2.7', { [name]: '203.0.113.9' })
      expect(reports).toEqual([{ peer: '192.0.2.7', header: name }])
    },
  )

  it('headers of a trusted proxy, and requests without any, raise no alert', () => {
    const { reports, inspect } = watch('10.0.0.0/8')
    inspect('10.1.2.3', { 'x-forwarded-for': '203.0.113.9' })
    inspect('192.0.2.7', { host: 'x' })
    inspect(undefined, { forwarded: 'for=x' })
    expect(reports).toEqual([])
  })

  it('are reported once, however many come', () => {
    const { reports, inspect } = watch()
    for (let count = 0; count < 100; count += 1) inspect(`192.0.2.${count}`, { forwarded: 'for=x' })
    expect(reports).toEqual([{ peer: '192.0.2.0', header: 'forwarded' }])
  })
})
