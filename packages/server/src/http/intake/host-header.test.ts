import { expect, it } from 'vitest'
import { hasNearHost, hostProblem } from './host-header.ts'

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

it('a Host is near when no stranger can own its name', () => {
  const own = ['https://shop.example.com/dashboard']
  const near = [
    '127.0.0.1:3000',
    '10.0.0.5',
    '[::1]:3000',
    'localhost',
    'LOCALHOST:80',
    'a.localhost',
    'nas:3000',
  ]
  for (const host of [...near, 'shop.example.com', 'Shop.Example.com:443']) {
    expect([host, hasNearHost({ host }, own)]).toEqual([host, true])
  }
  const strange = [
    'evil.example',
    '127.0.0.1.evil.example',
    'evil.example:3000',
    'evil.',
    'x.shop.example.com',
  ]
  for (const host of [...strange, 'localhost@evil.example', 'evil.example/localhost', 'a b', '', undefined]) {
    expect([host, hasNearHost({ host }, own)]).toEqual([host, false])
  }
})
