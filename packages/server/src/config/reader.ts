import { isIP, isIPv4, isIPv6 } from 'node:net'
import type { Network } from '../lib/addresses.ts'
import { parseNetwork } from '../lib/addresses.ts'

/** Name of a setting, and the problem with its value. */
export type SettingProblem = readonly [name: string, text: string]

/** Reads one setting at a time, and records its problems. */
export function readerOf(env: Readonly<Record<string, string | undefined>>, problems: SettingProblem[]) {
  return {
    text(name: string, fallback: string): string {
      const value = env[name]
      return present(value) ? value : fallback
    },
    /** Reads one line of visible text. */
    line(name: string, fallback: string, lengthMax: number): string {
      const value = (env[name] ?? '').trim()
      if (value === '') return fallback
      if (value.length > lengthMax || /\p{Cc}/u.test(value)) {
        problems.push([name, `must be one line of at most ${lengthMax} characters`])
        return fallback
      }
      return value
    },
    oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T {
      const value = env[name]
      if (!present(value)) return fallback
      if (!(values as readonly string[]).includes(value)) {
        problems.push([name, `must be one of ${values.join(', ')}`])
        return fallback
      }
      return value as T
    },
    integer(name: string, fallback: number, min: number, max: number): number {
      const value = env[name]
      if (!present(value)) return fallback
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
      if (!(number >= min && number <= max)) {
        problems.push([name, `must be a whole number from ${min} to ${max}`])
        return fallback
      }
      return number
    },
    /** Reads `address` or `address:port`, IPv6 with a port in brackets; undefined where none is given. */
    nameServers(name: string): string[] | undefined {
      const servers = (env[name] ?? '').split(',').map((part) => part.trim())
      const given = servers.filter((server) => server !== '')
      for (const server of given) {
        if (!isServer(server))
          problems.push([name, `"${server}" is not an address, or an address with a port`])
      }
      return given.length === 0 ? undefined : given
    },
    networks(name: string): Network[] {
      const networks: Network[] = []
      for (const part of (env[name] ?? '').split(',')) {
        if (part.trim() === '') continue
        const network = parseNetwork(part)
        if (network === undefined) problems.push([name, `"${part.trim()}" is not an address or CIDR`])
        else networks.push(network)
      }
      return networks
    },
  }
}

function isServer(text: string): boolean {
  const [, bracketed, plain, port = '53'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const isAddress = isIP(text) !== 0 || isIPv6(bracketed ?? '') || isIPv4(plain ?? '')
  return isAddress && Number(port) >= 1 && Number(port) <= 65_535
}

export function present(value: string | undefined): value is string {
  return value !== undefined && value !== ''
}
