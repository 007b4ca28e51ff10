import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { startDeadline } from './deadline.ts'
import { createDns, isNoSuchName } from './dns.ts'
import { createSlots } from './slots.ts'
import { followFile, NO_RESOLVER_FILE, parseHosts, parseResolverFile } from './system-files.ts'
import type { EndSignal } from './types.ts'

/**
 * Finds the addresses of names. Each purpose has one of its own, so that names of one cannot hold up another's; none
 * uses the system's resolver, whose few threads one slow name server fills for the whole process.
 */
export type Names = {
  /**
   * Rejects when there is no address, or nobody knows in time; the error's code says which. An owner's lookups have a
   * bound of their own; without an owner, each name is its own.
   */
  resolve(
    hostname: string,
    asked?: { owner?: string | undefined; signal?: EndSignal },
  ): Promise<readonly LookupAddress[]>
  /** Whether its addresses are known at this moment, so that a connection does not have to ask. */
  isKnown(hostname: string): boolean
}

export type NamesSettings = {
  /** Name servers, as `address` or `address:port`; none: those of resolv.conf. */
  readonly servers?: readonly string[] | undefined
  /** Short names are also looked for in the search domains of resolv.conf. Not for names that strangers give. */
  readonly usesSearchDomains?: boolean
  /** For the whole of one lookup, its wait included. */
  readonly lookupMs?: number
  /** Lookups at a time, in all and for one owner. */
  readonly lookupsMax?: number
  readonly ownerLookupsMax?: number
  /** How long a failure is remembered. */
  readonly failureKeptMs?: number
  /** How long after their time addresses are still used while name servers do not answer. */
  readonly staleMs?: number
  readonly hostsPath?: string
  readonly resolverPath?: string
}

const LOOKUP_MS = 4_000
const LOOKUPS_MAX = 256
const OWNER_LOOKUPS_MAX = 8
const FAILURE_KEPT_MS = 1_000
/** Addresses are kept at least until the connection for which they were looked up has been opened. */
const KEPT_MIN_MS = 1_000
const KEPT_MAX_MS = 60_000
const ENTRIES_MAX = 5_000
const HOSTNAME_LENGTH_MAX = 253
const HOSTS_PATH = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'
const RESOLVER_PATH = '/etc/resolv.conf'

type Entry = {
  readonly found: readonly LookupAddress[] | NodeJS.ErrnoException
  readonly untilMs: number
  /** Addresses alone. */
  readonly staleUntilMs: number
}

export function createNames(settings: NamesSettings = {}): Names {
  const { lookupMs = LOOKUP_MS, lookupsMax = LOOKUPS_MAX, ownerLookupsMax = OWNER_LOOKUPS_MAX } = settings
  const { failureKeptMs = FAILURE_KEPT_MS, staleMs = 0, usesSearchDomains = false } = settings
  const hosts = followFile(settings.hostsPath ?? HOSTS_PATH, parseHosts, new Map())
  const resolverFile = followFile(settings.resolverPath ?? RESOLVER_PATH, parseResolverFile, NO_RESOLVER_FILE)
  const askDns = createDns()
  const turns = createSlots()
  const entries = new Map<string, Entry>()
  const underway = new Map<string, Promise<Entry>>()

  function freshEntry(name: string): Entry | undefined {
    const entry = entries.get(name)
    return entry !== undefined && performance.now() < entry.untilMs ? entry : undefined
  }

  function keep(name: string, found: Entry['found'], keptMs: number): Entry {
    const untilMs = performance.now() + keptMs
    const isAddresses = !(found instanceof Error)
    const entry = { found, untilMs, staleUntilMs: isAddresses ? untilMs + staleMs : 0 }
    entries.delete(name)
    if (entries.size >= ENTRIES_MAX) {
      for (const oldest of entries.keys()) {
        entries.delete(oldest)
        break
      }
    }
    entries.set(name, entry)
    return entry
  }

  /** A name server's outage changes nothing about addresses that were right a moment ago. */
  function keepFailure(name: string, error: NodeJS.ErrnoException, known: Entry | undefined): Entry {
    const isStale = known !== undefined && performance.now() < known.staleUntilMs && !isNoSuchName(error)
    if (!isStale) return keep(name, error, failureKeptMs)
    const entry = { ...known, untilMs: performance.now() + KEPT_MIN_MS }
    entries.set(name, entry)
    return entry
  }

  function candidatesOf(name: string): string[] {
    if (name.endsWith('.') || !usesSearchDomains) return [name]
    const { search, dotsMin } = resolverFile()
    const longer = search.map((domain) => `${name}.${domain}`)
    return name.split('.').length - 1 < dotsMin ? [...longer, name] : [name, ...longer]
  }

  async function ask(name: string, signal: EndSignal): Promise<Entry> {
    const known = entries.get(name)
    const servers = settings.servers ?? resolverFile().servers
    let trouble: unknown
    for (const candidate of candidatesOf(name)) {
      try {
        const { addresses, keptMs } = await askDns(candidate, servers, signal)
        return keep(name, addresses, Math.min(Math.max(keptMs, KEPT_MIN_MS), KEPT_MAX_MS))
      } catch (error) {
        trouble = error
        if (!isNoSuchName(error) || signal.aborted) break
      }
    }
    return keepFailure(
      name,
      signal.aborted ? nameError('ETIMEOUT') : (trouble as NodeJS.ErrnoException),
      known,
    )
  }

  /** Equal questions at a time are asked once; those that wait for their turn do so in their owner's line. */
  async function lookUp(name: string, owner: string): Promise<Entry> {
    const deadline = startDeadline(lookupMs)
    const line = `owner ${owner}`
    try {
      if (!(await turns.take(line, ownerLookupsMax, deadline))) throw nameError('ETIMEOUT')
      try {
        if (!(await turns.take('all', lookupsMax, deadline))) throw nameError('ETIMEOUT')
        try {
          return freshEntry(name) ?? (await (underway.get(name) ?? share(name, ask(name, deadline))))
        } finally {
          turns.giveBack('all')
        }
      } finally {
        turns.giveBack(line)
      }
    } finally {
      deadline.clear()
    }
  }

  function share(name: string, asked: Promise<Entry>): Promise<Entry> {
    underway.set(name, asked)
    return asked.finally(() => underway.delete(name))
  }

  function local(name: string): Entry | undefined {
    const bare = name.replace(/\.$/, '')
    const listed = hosts().get(bare) ?? (LOCALHOST.test(bare) ? LOOPBACK : undefined)
    if (listed !== undefined) {
      return keep(
        name,
        listed.map((address) => ({ address, family: isIP(address) })),
        KEPT_MIN_MS,
      )
    }
    const isNoName = bare === '' || bare.length > HOSTNAME_LENGTH_MAX || NOBODYS.test(bare)
    return isNoName ? keep(name, nameError('ENOTFOUND'), failureKeptMs) : undefined
  }

  return {
    isKnown(hostname) {
      const entry = freshEntry(hostname)
      return entry !== undefined && !(entry.found instanceof Error)
    },
    async resolve(hostname, { owner, signal } = {}) {
      const name = hostname.toLowerCase()
      const entry =
        freshEntry(name) ??
        local(name) ??
        (await untilEnd(underway.get(name) ?? lookUp(name, owner ?? name), signal))
      if (entry.found instanceof Error) throw entry.found
      return entry.found
    },
  }
}

/** The service's own machine, whatever the name servers say. */
const LOCALHOST = /(^|\.)localhost$/
const LOOPBACK = ['127.0.0.1', '::1']
/** Set aside so that nobody ever has them. */
const NOBODYS = /(^|\.)invalid$/

function nameError(code: 'ENOTFOUND' | 'ETIMEOUT'): NodeJS.ErrnoException {
  return Object.assign(new Error(code === 'ENOTFOUND' ? 'no such name' : 'no address in time'), { code })
}

/** What is under way goes on for others who may wait for it. */
function untilEnd<T>(work: Promise<T>, signal: EndSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(nameError('ETIMEOUT'))
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}

/** For sockets of libraries that look up names by themselves. */
export function lookupBy(names: Names): LookupFunction {
  return (hostname, options, callback) => {
    names.resolve(hostname).then(
      (addresses) => {
        const [first] = addresses
        if (options.all === true || first === undefined) callback(null, [...addresses])
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}
