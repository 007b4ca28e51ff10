import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { startDeadline } from './deadline.ts'
import type { AskDns } from './dns.ts'
import { createDns, isNoSuchName } from './dns.ts'
import type { Slots } from './slots.ts'
import { createSlots } from './slots.ts'
import type { Hosts, ResolverFile } from './system-files.ts'
import { followFile, NO_RESOLVER_FILE, parseHosts, parseResolverFile } from './system-files.ts'
import type { EndSignal } from './types.ts'

/**
 * Finds the addresses of names. Each purpose has its own, so that names of one cannot delay another's. None uses the
 * system's resolver, whose few threads one slow name server fills for the whole process.
 */
export type Names = {
  /**
   * Resolves a name. Rejects when there is no address, or no answer in time; the error's code says which. An owner's
   * lookups have a bound of their own; without an owner, each name is its own owner.
   */
  resolve(
    hostname: string,
    asked?: { owner?: string | undefined; signal?: EndSignal },
  ): Promise<readonly LookupAddress[]>
  /** Tells whether its addresses are known at this moment, so that a connection does not have to ask. */
  isKnown(hostname: string): boolean
}

export type NamesSettings = {
  /** Name servers, as `address` or `address:port`; those of resolv.conf when left out. */
  readonly servers?: readonly string[] | undefined
  /**
   * Looks for short names in the search domains of resolv.conf too. It must not be set for names that strangers give.
   */
  readonly usesSearchDomains?: boolean
  /** Limit of the whole lookup, its wait included. */
  readonly lookupMs?: number
  /** Limits of lookups at a time, in total and for one owner. */
  readonly lookupsMax?: number
  readonly ownerLookupsMax?: number
  /** Time for which a failure is remembered. */
  readonly failureKeptMs?: number
  /** Time for which expired addresses are still used while name servers do not answer. */
  readonly staleMs?: number
  readonly hostsPath?: string
  readonly resolverPath?: string
}

const LOOKUP_MS = 4_000
const LOOKUPS_MAX = 256
const OWNER_LOOKUPS_MAX = 8
const FAILURE_KEPT_MS = 1_000
/** Shortest time for which addresses are kept: the connection for which they were looked up must find them. */
const KEPT_MIN_MS = 1_000
const KEPT_MAX_MS = 60_000
const ENTRIES_MAX = 5_000
const HOSTNAME_LENGTH_MAX = 253
const HOSTS_PATH = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'
const RESOLVER_PATH = '/etc/resolv.conf'

type Entry = {
  readonly found: readonly LookupAddress[] | NodeJS.ErrnoException
  readonly untilMs: number
  /** End of use as an expired entry; 0 for a failure. */
  readonly staleUntilMs: number
}

export function createNames(settings: NamesSettings = {}): Names {
  const { lookupMs = LOOKUP_MS, lookupsMax = LOOKUPS_MAX, ownerLookupsMax = OWNER_LOOKUPS_MAX } = settings
  const { failureKeptMs = FAILURE_KEPT_MS, staleMs = 0, usesSearchDomains = false } = settings
  const hosts = followFile(settings.hostsPath ?? HOSTS_PATH, parseHosts, new Map())
  const resolverFile = followFile(settings.resolverPath ?? RESOLVER_PATH, parseResolverFile, NO_RESOLVER_FILE)
  const askDns = createDns()
  const turns = createSlots()
  const entries = createEntries({ failureKeptMs, staleMs })
  const underway = new Map<string, Promise<Entry>>()

  async function ask(name: string, signal: EndSignal): Promise<Entry> {
    const known = entries.find(name)
    const servers = settings.servers ?? resolverFile().servers
    const candidates = usesSearchDomains ? candidatesOf(name, resolverFile()) : [name]
    try {
      const { addresses, keptMs } = await askInOrder(askDns, candidates, servers, signal)
      return entries.keep(name, addresses, Math.min(Math.max(keptMs, KEPT_MIN_MS), KEPT_MAX_MS))
    } catch (trouble) {
      const error = signal.aborted ? nameError('ETIMEOUT') : (trouble as NodeJS.ErrnoException)
      return entries.keepFailure(name, error, known)
    }
  }

  /** Looks up a name once for equal questions at a time; questions that wait do so in their owner's line. */
  async function lookUp(name: string, owner: string): Promise<Entry> {
    const deadline = startDeadline(lookupMs)
    try {
      return await withTurn(turns, { line: `owner ${owner}`, max: ownerLookupsMax, deadline }, () =>
        withTurn(turns, { line: 'all', max: lookupsMax, deadline }, async () => {
          return entries.findFresh(name) ?? (await (underway.get(name) ?? share(name, ask(name, deadline))))
        }),
      )
    } finally {
      deadline.clear()
    }
  }

  function share(name: string, asked: Promise<Entry>): Promise<Entry> {
    underway.set(name, asked)
    return asked.finally(() => underway.delete(name))
  }

  return {
    isKnown(hostname) {
      const entry = entries.findFresh(hostname)
      return entry !== undefined && !(entry.found instanceof Error)
    },
    async resolve(hostname, { owner, signal } = {}) {
      const name = hostname.toLowerCase()
      const entry =
        entries.findFresh(name) ??
        keepLocal(entries, name, hosts()) ??
        (await untilEnd(underway.get(name) ?? lookUp(name, owner ?? name), signal))
      if (entry.found instanceof Error) throw entry.found
      return entry.found
    },
  }
}

/** Asks for one name after the other until one exists. Rejects with the last trouble. */
async function askInOrder(
  askDns: AskDns,
  names: readonly string[],
  servers: readonly string[],
  signal: EndSignal,
): ReturnType<AskDns> {
  let trouble: unknown
  for (const name of names) {
    try {
      return await askDns(name, servers, signal)
    } catch (error) {
      trouble = error
      if (!isNoSuchName(error) || signal.aborted) break
    }
  }
  throw trouble
}

type Turn = { readonly line: string; readonly max: number; readonly deadline: EndSignal }

/** Does the work in its turn of the line; rejects when no turn comes in time. */
async function withTurn<T>(turns: Slots, turn: Turn, work: () => Promise<T>): Promise<T> {
  const { line, max, deadline } = turn
  if (!(await turns.take(line, max, deadline))) throw nameError('ETIMEOUT')
  try {
    return await work()
  } finally {
    turns.giveBack(line)
  }
}

function candidatesOf(name: string, { search, dotsMin }: ResolverFile): string[] {
  if (name.endsWith('.')) return [name]
  const longer = search.map((domain) => `${name}.${domain}`)
  return name.split('.').length - 1 < dotsMin ? [...longer, name] : [name, ...longer]
}

/** Found addresses and failures, by name. */
type Entries = {
  find(name: string): Entry | undefined
  findFresh(name: string): Entry | undefined
  keep(name: string, found: readonly LookupAddress[], keptMs: number): Entry
  /**
   * Keeps a failure. Known addresses stay in use while name servers are out of service: they were right a moment ago.
   */
  keepFailure(name: string, error: NodeJS.ErrnoException, known?: Entry): Entry
}

function createEntries({ failureKeptMs, staleMs }: { failureKeptMs: number; staleMs: number }): Entries {
  const entries = new Map<string, Entry>()

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

  return {
    find: (name) => entries.get(name),
    findFresh(name) {
      const entry = entries.get(name)
      return entry !== undefined && performance.now() < entry.untilMs ? entry : undefined
    },
    keep,
    keepFailure(name, error, known) {
      const isStale = known !== undefined && performance.now() < known.staleUntilMs && !isNoSuchName(error)
      if (!isStale) return keep(name, error, failureKeptMs)
      const entry = { ...known, untilMs: performance.now() + KEPT_MIN_MS }
      entries.set(name, entry)
      return entry
    },
  }
}

/** Answers a name without a name server, where that is possible: a host of this machine's file, or no name at all. */
function keepLocal(entries: Entries, name: string, hosts: Hosts): Entry | undefined {
  const bare = name.replace(/\.$/, '')
  const listed = hosts.get(bare) ?? (LOCALHOST.test(bare) ? LOOPBACK : undefined)
  if (listed !== undefined) {
    const addresses = listed.map((address) => ({ address, family: isIP(address) }))
    return entries.keep(name, addresses, KEPT_MIN_MS)
  }
  const isNoName = bare === '' || bare.length > HOSTNAME_LENGTH_MAX || RESERVED_NAMES.test(bare)
  return isNoName ? entries.keepFailure(name, nameError('ENOTFOUND')) : undefined
}

/** Names of the service's own machine, whatever the name servers say. */
const LOCALHOST = /(^|\.)localhost$/
const LOOPBACK = ['127.0.0.1', '::1']
/** Names that are reserved and never exist. */
const RESERVED_NAMES = /(^|\.)invalid$/

function nameError(code: 'ENOTFOUND' | 'ETIMEOUT'): NodeJS.ErrnoException {
  return Object.assign(new Error(code === 'ENOTFOUND' ? 'no such name' : 'no address in time'), { code })
}

/** Stops waiting at the signal; the work goes on for others that may wait for it. */
function untilEnd<T>(work: Promise<T>, signal: EndSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(nameError('ETIMEOUT'))
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}

/** Builds a lookup for sockets of libraries that look up names by themselves. */
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
