import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { until } from '../testing/payments/payments.ts'
import { followFile, NO_RESOLVER_FILE, parseHosts, parseResolverFile } from './system-files.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'files-'))
})
afterEach(() => rm(directory, { recursive: true }))

it('resolv.conf gives servers, search domains and what counts as a short name', () => {
  const text = [
    '# made by a container',
    'nameserver 10.0.0.1',
    'nameserver 2001:db8::53 ; the other one',
    'nameserver nonsense',
    'domain old.example.com',
    'search shop.svc.cluster.local SVC.cluster.local. .',
    'options timeout:1 ndots:5 attempts:2',
  ]
  expect(parseResolverFile(text.join('\n'))).toEqual({
    servers: ['10.0.0.1', '2001:db8::53'],
    search: ['shop.svc.cluster.local', 'svc.cluster.local'],
    dotsMin: 5,
  })
  expect(parseResolverFile('')).toEqual(NO_RESOLVER_FILE)
  const many = Array.from({ length: 9 }, (_, index) => `nameserver 10.0.0.${index}`).join('\n')
  expect(parseResolverFile(many).servers).toHaveLength(3)
})

it('a hosts file gives each name its addresses, whatever else stands in it', () => {
  const hosts = parseHosts(
    '127.0.0.1\tlocalhost  Box # ours\r\n::1 localhost\n# 10.0.0.1 off\n300.1.1.1 bad\n\n',
  )
  expect(hosts).toEqual(
    new Map([
      ['localhost', ['127.0.0.1', '::1']],
      ['box', ['127.0.0.1']],
    ]),
  )
})

it('a file is read again when it changes, is replaced, goes away or comes back', async () => {
  const path = join(directory, 'file')
  const read = followFile(path, (text) => text, 'none')
  expect(read()).toBe('none')
  await writeFile(path, 'first')
  await until('it is there', () => read() === 'first')
  await writeFile(join(directory, 'next'), 'other')
  await rename(join(directory, 'next'), path)
  await until('it was replaced', () => read() === 'other')
  await rm(path)
  await until('it is gone', () => read() === 'none')
})
