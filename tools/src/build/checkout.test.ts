import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bundle } from './checkout.ts'

/** Texts of four more languages are a quarter of it. */
const GZIPPED_BYTES_MAX = 48_000

describe('the script that other sites load', async () => {
  const code = await bundle('component')

  it('is small', () => {
    expect(gzipSync(code, { level: 9 }).length).toBeLessThan(GZIPPED_BYTES_MAX)
  })

  it('works inside a strict policy: it makes no code, no markup and no inline style', async () => {
    expect(code.match(/\beval\(|new Function|outerHTML|insertAdjacentHTML|document\.write/g)).toBeNull()
    // Preact would set these for properties of their names, of which our own code has none.
    const own = await bundle('component', /^preact/)
    expect(own).toContain('preact')
    expect(own.match(/.{20}(innerHTML|[{,]style:|\.style\b)/gi)).toBeNull()
  })

  it('asks nobody but the service, and knows no wholesale figure', () => {
    const addresses = code.match(/https?:\/\/[^"'`\s)]+/g) ?? []
    expect(addresses.filter((each) => !each.startsWith('http://www.w3.org/'))).toEqual([])
    expect(code.match(/\b(cost|discount|wholesale|rrp|has_loss_risk|balance)\b/g)).toBeNull()
  })
})
