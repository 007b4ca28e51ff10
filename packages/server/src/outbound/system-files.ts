import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { isIP } from 'node:net'

/** Limit of bytes that are read of a file. */
const BYTES_MAX = 1_024 * 1_024
/** Pause between two checks of a file, so that a change takes effect without a restart. */
const CHECK_EVERY_MS = 1_000

/**
 * Follows a file of the system and reads it again when it changes; returns `none` while it cannot be read. The read is
 * synchronous: the file is small and local, and an asynchronous read would wait for one of the process's few background
 * threads.
 */
export function followFile<T>(path: string, parse: (text: string) => T, none: T): () => T {
  let value = none
  let mark = ''
  let checkedAtMs = Number.NEGATIVE_INFINITY

  function readIfChanged(): void {
    let file: number | undefined
    try {
      file = openSync(path, 'r')
      const { ino, size, mtimeMs, ctimeMs } = fstatSync(file)
      const present = `${ino} ${size} ${mtimeMs} ${ctimeMs}`
      if (present === mark) return
      const bytes = Buffer.alloc(Math.min(size, BYTES_MAX))
      value = parse(bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0)))
      mark = present
    } catch {
      value = none
      mark = ''
    } finally {
      if (file !== undefined) closeSync(file)
    }
  }

  return () => {
    const nowMs = performance.now()
    if (nowMs - checkedAtMs >= CHECK_EVERY_MS) {
      checkedAtMs = nowMs
      readIfChanged()
    }
    return value
  }
}

export type Hosts = ReadonlyMap<string, readonly string[]>

/** Parses the hosts file: names in lower case, each with its addresses in the order of the file. */
export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>()
  for (const [address = '', ...names] of fieldsOf(text)) {
    if (isIP(address) === 0) continue
    for (const name of names) {
      const known = hosts.get(name.toLowerCase())
      if (known === undefined) hosts.set(name.toLowerCase(), [address])
      else if (!known.includes(address)) known.push(address)
    }
  }
  return hosts
}

export type ResolverFile = {
  /** Name servers; the platform's when empty. */
  readonly servers: readonly string[]
  /** Domains in which short names are looked for. */
  readonly search: readonly string[]
  /** Number of dots below which a name is short. */
  readonly dotsMin: number
}

export const NO_RESOLVER_FILE: ResolverFile = { servers: [], search: [], dotsMin: 1 }

const SERVERS_MAX = 3
const SEARCH_MAX = 6
const DOTS_MAX = 15

/** Reads resolv.conf. Its times and tries are not used: lookups have bounds of their own. */
export function parseResolverFile(text: string): ResolverFile {
  let { servers, search, dotsMin } = NO_RESOLVER_FILE
  for (const [keyword, ...values] of fieldsOf(text)) {
    const [first = ''] = values
    if (keyword === 'nameserver' && isIP(first) !== 0) servers = [...servers, first].slice(0, SERVERS_MAX)
    if (keyword === 'search' || keyword === 'domain')
      search = values.filter((each) => each !== '.').slice(0, SEARCH_MAX)
    const dots = /^options .*?\bndots:(\d{1,2})\b/.exec([keyword, ...values].join(' '))
    if (dots !== null) dotsMin = Math.min(Number(dots[1]), DOTS_MAX)
  }
  return { servers, search: search.map((each) => each.toLowerCase().replace(/^\.|\.$/g, '')), dotsMin }
}

function fieldsOf(text: string): string[][] {
  return text.split(/\r?\n/).map((line) =>
    line
      .replace(/[#;].*$/, '')
      .split(/\s+/)
      .filter((word) => word !== ''),
  )
}
