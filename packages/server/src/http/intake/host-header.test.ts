import { expect, it } from 'vitest'
import { hostProblem } from './host-header.ts'

function received(rawHeaders: string[], httpVersion = '1.1') {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  return { rawHeaders, headers: { host: at < 0 ? undefined : rawHeaders[at + 1] }, httpVersion } as never
}

it('one Host header is as it should be, in any letter case', () => {
  expect(hostProblem(received(['HOST', 'a', 'X-Forwarded-Host', 'host']))).toBeUndefined()
  expect(hostProblem(received(['A', 'Host', 'host', 'a']))).toBeUndefined()
})

it('two are refused, also when they say the same', () => {
  expect(hostProblem(received(['Host', 'a', 'A', 'b', 'hOST', 'a']))).toContain('more than one')
})

it('none is refused in HTTP/1.1 alone', () => {
  expect(hostProblem(received(['A', 'b']))).toContain('missing')
  expect(hostProblem(received(['A', 'b'], '1.0'))).toBeUndefined()
})
