import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import type { EndSignal } from './types.ts'

export type DnsAnswer = {
  readonly addresses: readonly LookupAddress[]
  /** Time for which the name's owner lets it be kept. */
  readonly keptMs: number
}

/** Asks name servers. Rejects with an error whose code says why: ENOTFOUND, ENODATA, ETIMEOUT, ESERVFAIL… */
export type AskDns = (name: string, servers: readonly string[], signal: EndSignal) => Promise<DnsAnswer>

/** Limit of one try at one server; the caller's signal ends them all. */
const TRY_MS = 1_000
const TRIES = 4
/** Time for which the addresses of one family wait for those of the other one. */
const OTHER_FAMILY_MS = 50
/** Limit for keeping an answer in which a family is missing, so that it is asked for again soon. */
const PARTIAL_KEPT_MS = 1_000
/**
 * Limit of addresses kept of each family. An answer may hold thousands, and strangers choose which names are looked up.
 */
const ADDRESSES_MAX = 16

/**
 * Asks name servers over the network, in this thread. Each question under way has its own resolver, which can be
 * cancelled alone and asks from its own port; idle ones are used again.
 */
export function createDns(): AskDns {
  const idle: { resolver: Resolver; servers: string }[] = []

  function open(servers: readonly string[]): { resolver: Resolver; servers: string } {
    const wanted = servers.join(' ')
    const known = idle.pop()
    if (known?.servers === wanted) return known
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
    // The resolver takes the platform's servers when none are set.
    if (servers.length > 0) resolver.setServers(servers)
    return { resolver, servers: wanted }
  }

  return async (name, servers, signal) => {
    const slot = open(servers)
    const cancel = () => slot.resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      return await askBothFamilies(slot.resolver, name)
    } finally {
      signal.removeEventListener('abort', cancel)
      cancel()
      idle.push(slot)
    }
  }
}

type Found = { readonly addresses: readonly LookupAddress[]; readonly ttlS: number; readonly error?: Error }

async function askBothFamilies(resolver: Resolver, name: string): Promise<DnsAnswer> {
  const found: Found[] = []
  const note = (each: Found) => void found.push(each)
  const four = resolver
    .resolve4(name, { ttl: true })
    .then((records) => foundOf(records, 4), failed)
    .then(note)
  const six = resolver
    .resolve6(name, { ttl: true })
    .then((records) => foundOf(records, 6), failed)
    .then(note)
  await Promise.race([four, six])
  const hasSome = found.some(({ addresses }) => addresses.length > 0)
  await (hasSome ? atMost(OTHER_FAMILY_MS, Promise.all([four, six])) : Promise.all([four, six]))

  const addresses = found.flatMap((each) => each.addresses)
  if (addresses.length === 0) throw worstError(found)
  const family = prefersIpv6() ? 6 : 4
  const isPartial = found.length < 2 || found.some(({ error }) => error !== undefined && !isNoSuchName(error))
  const ttlMs = 1_000 * Math.min(...found.filter((each) => each.addresses.length > 0).map(({ ttlS }) => ttlS))
  return {
    addresses: addresses.toSorted((a, b) => Number(b.family === family) - Number(a.family === family)),
    keptMs: isPartial ? Math.min(ttlMs, PARTIAL_KEPT_MS) : ttlMs,
  }
}

function foundOf(records: readonly { address: string; ttl: number }[], family: 4 | 6): Found {
  return {
    addresses: records.slice(0, ADDRESSES_MAX).map(({ address }) => ({ address, family })),
    ttlS: Math.min(...records.map(({ ttl }) => ttl)),
  }
}

function failed(error: Error): Found {
  return { addresses: [], ttlS: 0, error }
}

/** Chooses the error to report: "there is none" only when both families say so. */
function worstError(found: readonly Found[]): Error {
  const errors = found.flatMap(({ error }) => error ?? [])
  return (
    errors.find((error) => !isNoSuchName(error)) ??
    errors.find(isAbsent) ??
    errors[0] ??
    new Error('no answer')
  )
}

function isAbsent(error: Error): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOTFOUND'
}

/** Returns true when the name servers know that there is no such name, or no address of it. */
export function isNoSuchName(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOTFOUND' || code === 'ENODATA'
}

function atMost(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs)
    void work.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

const PREFERENCE_MS = 10_000
let preference = { isIpv6: false, untilMs: Number.NEGATIVE_INFINITY }

/** Orders families as the system's resolver does: IPv6 comes first where this machine has a public IPv6 address. */
function prefersIpv6(): boolean {
  const nowMs = performance.now()
  if (nowMs >= preference.untilMs) {
    preference = { isIpv6: hasPublicIpv6(), untilMs: nowMs + PREFERENCE_MS }
  }
  return preference.isIpv6
}

/**
 * Tells whether this machine has a public IPv6 address. A sandbox without netlink sockets does not let a process list
 * its addresses; names are looked up all the same, with IPv4 first.
 */
export function hasPublicIpv6(list: typeof networkInterfaces = networkInterfaces): boolean {
  try {
    const all = Object.values(list()).flatMap((each) => each ?? [])
    return all.some(
      ({ family, internal, address }) => family === 'IPv6' && !internal && /^[23]/.test(address),
    )
  } catch {
    return false
  }
}
