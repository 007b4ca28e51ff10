import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DnsServer } from '../testing/network/dns-server.ts'
import { startDnsServer } from '../testing/network/dns-server.ts'
import { until } from '../testing/payments/payments.ts'
import { startDeadline } from './deadline.ts'
import type { Names, NamesSettings } from './names.ts'
import { createNames } from './names.ts'

let dns: DnsServer
let directory: string

beforeEach(async () => {
  dns = await startDnsServer()
  directory = await mkdtemp(join(tmpdir(), 'names-'))
  await writeFile(join(directory, 'hosts'), '127.0.0.9 Box box.local # ours\n::1 box\nnonsense here\n')
  await writeFile(join(directory, 'resolv.conf'), 'search one.net two.net\noptions ndots:2\n')
})
afterEach(async () => {
  await dns.close()
  await rm(directory, { recursive: true })
})

function open(settings: NamesSettings = {}): Names {
  return createNames({
    servers: [dns.address],
    hostsPath: join(directory, 'hosts'),
    resolverPath: join(directory, 'resolv.conf'),
    ...settings,
  })
}

async function addressesOf(names: Names, name: string): Promise<string[]> {
  return (await names.resolve(name)).map(({ address }) => address)
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'resolved',
    (error: NodeJS.ErrnoException) => error.code,
  )

describe('a name', () => {
  it('has the addresses of both families, through an alias as well', async () => {
    dns.set('shop.net', { addresses: ['203.0.113.1', '2001:db8::1'] })
    dns.set('alias.net', { addresses: ['203.0.113.2'], alias: 'real.net' })
    expect(
      (await open().resolve('shop.net')).toSorted((a, b) => Number(a.family) - Number(b.family)),
    ).toEqual([
      { address: '203.0.113.1', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ])
    expect(await addressesOf(open(), 'alias.net')).toEqual(['203.0.113.2'])
  })

  it('a name with many addresses is kept with some of each family, so that strangers’ names take little room', async () => {
    const four = Array.from({ length: 24 }, (_, index) => `203.0.113.${index + 1}`)
    const six = Array.from({ length: 18 }, (_, index) => `2001:db8::${index + 1}`)
    dns.set('many.net', (family) => ({ addresses: family === 4 ? four : six }))
    const found = await open({ lookupMs: 20_000 }).resolve('many.net')
    for (const family of [4, 6]) expect(found.filter((each) => each.family === family)).toHaveLength(16)
  })

  it('a name of one family does not wait for a server that is silent about the other', async () => {
    dns.set('shop.net', (family) => (family === 6 ? 'silent' : { addresses: ['203.0.113.1'] }))
    expect(await addressesOf(open({ lookupMs: 20_000 }), 'shop.net')).toEqual(['203.0.113.1'])
  })

  it('a name of the hosts file, and this machine’s own, is asked of no server; the file is read again when it changes', async () => {
    const names = open()
    expect(await addressesOf(names, 'BOX')).toEqual(['127.0.0.9', '::1'])
    expect(await addressesOf(names, 'box.local')).toEqual(['127.0.0.9'])
    for (const local of ['localhost', 'a.localhost', 'localhost.']) {
      expect(await addressesOf(names, local)).toContain('127.0.0.1')
    }
    await writeFile(join(directory, 'hosts'), '127.0.0.10 box\n')
    await until(
      'the new hosts file is used',
      async () => (await addressesOf(names, 'box'))[0] === '127.0.0.10',
    )
    for (const each of ['box', 'box.local', 'localhost', 'a.localhost']) expect(dns.asked(each)).toBe(0)
  })

  it('a short name is looked for in the search domains, unless a stranger gave it', async () => {
    dns.set('pay.two.net', { addresses: ['203.0.113.3'] })
    expect(await addressesOf(open({ usesSearchDomains: true }), 'pay')).toEqual(['203.0.113.3'])
    expect(dns.asked('pay.one.net')).toBeGreaterThan(0)
    expect(await codeOf(open().resolve('pay'))).toBe('ENOTFOUND')
    expect(await codeOf(open({ usesSearchDomains: true }).resolve('pay.'))).toBe('ENOTFOUND')
  })
})

describe('a resolved name', () => {
  it('is kept for its time, asked once however many want it, and then asked anew', async () => {
    dns.set('shop.net', (_, times) => ({
      addresses: [times === 0 ? '203.0.113.1' : '203.0.113.2'],
      ttlS: 2,
      delayMs: 20,
    }))
    const names = open()
    const all = await Promise.all(Array.from({ length: 50 }, () => addressesOf(names, 'shop.net')))
    expect(new Set(all.flat())).toEqual(new Set(['203.0.113.1']))
    expect(names.isKnown('shop.net')).toBe(true)
    expect(dns.asked('shop.net')).toBe(2)
    await until(
      'the name is rebound',
      async () => (await addressesOf(names, 'shop.net'))[0] === '203.0.113.2',
    )
  })

  it('is used on while name servers do not answer, and no longer when they say that there is none', async () => {
    dns.set('shop.net', { addresses: ['203.0.113.1'], ttlS: 1 })
    const names = open({ staleMs: 60_000, failureKeptMs: 0, lookupMs: 2_000 })
    await names.resolve('shop.net')
    dns.set('shop.net', 'silent')
    await until('its time is over', async () => !names.isKnown('shop.net'))
    expect(await addressesOf(names, 'shop.net')).toEqual(['203.0.113.1'])
    dns.set('shop.net', 'absent')
    await until('it is gone', async () => (await codeOf(names.resolve('shop.net'))) === 'ENOTFOUND')
  })

  it('is remembered when it is nothing, for a short time', async () => {
    dns.set('gone.net', 'absent')
    const names = open({ failureKeptMs: 2_000 })
    expect(await codeOf(names.resolve('gone.net'))).toBe('ENOTFOUND')
    expect(await codeOf(names.resolve('gone.net'))).toBe('ENOTFOUND')
    expect(dns.asked('gone.net')).toBe(2)
    dns.set('gone.net', { addresses: ['203.0.113.4'] })
    await until('it is asked again', async () => (await codeOf(names.resolve('gone.net'))) === 'resolved')
  })
})

describe('a server that is silent', () => {
  it('ends in time, whoever gives up first', async () => {
    dns.set('dead.net', 'silent')
    expect(await codeOf(open({ lookupMs: 100 }).resolve('dead.net'))).toBe('ETIMEOUT')
    const names = open({ lookupMs: 20_000 })
    expect(await codeOf(names.resolve('dead.net', { signal: AbortSignal.timeout(50) }))).toBe('ETIMEOUT')
    expect(await codeOf(names.resolve('dead.net', { signal: AbortSignal.abort() }))).toBe('ETIMEOUT')
  })

  it('about all names of one owner holds up no name of another, nor does a broken one', async () => {
    const names = open({ lookupMs: 20_000, lookupsMax: 20, ownerLookupsMax: 8 })
    const signal = startDeadline(60_000)
    const dead = Array.from({ length: 200 }, (_, index) => `dead${index}.net`)
    for (const name of dead) dns.set(name, 'silent')
    dns.set('broken.net', 'broken')
    dns.set('shop.net', { addresses: ['203.0.113.1'] })
    const waiting = dead.map((name) => codeOf(names.resolve(name, { owner: 'one', signal })))
    await until('they are asked for', async () => dead.filter((name) => dns.asked(name) > 0).length === 8)
    expect(await codeOf(names.resolve('broken.net', { owner: 'two' }))).toBe('ESERVFAIL')
    expect(await codeOf(names.resolve('shop.net', { owner: 'two' }))).toBe('resolved')
    // An owner waits in its own line for its own names alone, even for a name that another owner has found.
    expect(await codeOf(names.resolve('shop.net', { owner: 'one' }))).toBe('resolved')
    expect(dead.filter((name) => dns.asked(name) > 0)).toHaveLength(8)
    signal.end()
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['ETIMEOUT']))
  })
})
