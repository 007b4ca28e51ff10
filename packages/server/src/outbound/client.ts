import Agent from 'undici/lib/dispatcher/agent.js'
import { createRegister } from '../lib/register.ts'
import type { ConnectorSettings, Resolve } from './connector.ts'
import { createConnector } from './connector.ts'
import { exchange } from './exchange.ts'
import type { Names } from './names.ts'
import { createNames } from './names.ts'
import { createSlots } from './slots.ts'
import type { Target, TargetReading } from './targets.rules.ts'
import { readTarget, refusalOfUrl } from './targets.rules.ts'
import type { EndSignal, FailureStage, Outbound, OutboundRequest, OutboundResult } from './types.ts'

export type OutboundSettings = Omit<ConnectorSettings, 'connectTimeoutMs' | 'resolve'> & {
  /** Names of one purpose; when left out, the client has its own. */
  names?: Names
  /** Replaces `names`: called once for every connection. */
  resolve?: Resolve
  connectTimeoutMs?: number
  keepAliveMs?: number
}

/**
 * Limit of connecting. It is shorter than deadlines usually are, so that a failed connection is told from a missing
 * answer.
 */
const CONNECT_TIMEOUT_MS = 5_000
/** Time an idle connection is kept. It is shorter than servers usually keep one, so that they seldom close it first. */
const KEEP_ALIVE_MS = 4_000
/** Limit of URLs whose parsed form is cached. */
const READINGS_MAX = 1_000
const ANSWER_HEADER_BYTES_MAX = 16 * 1_024

/**
 * Sends all HTTP requests of this process: guarded addresses, one deadline, a bounded answer, no redirects, no proxy
 * from the environment. Each purpose has its own, so that connections are shared and names are not.
 */
export function createOutbound(settings: OutboundSettings): Outbound {
  const { connectTimeoutMs = CONNECT_TIMEOUT_MS, keepAliveMs = KEEP_ALIVE_MS } = settings
  const names = settings.names ?? createNames()
  const resolve: Resolve = settings.resolve ?? ((hostname) => names.resolve(hostname))
  const connect = createConnector({ ...settings, resolve, connectTimeoutMs })
  const agents = createAgents(connect, keepAliveMs)
  // The pools would queue as well, but a request that gave up waiting there still takes, and ends, a connection.
  const turns = createSlots()
  const underway = createRegister<Promise<OutboundResult>>()
  const read = rememberReadings()

  async function exchangeInTurn(target: Target, request: OutboundRequest): Promise<OutboundResult> {
    const { connectionsMax, signal } = request
    const place = `${connectionsMax} ${target.origin}`
    if (!(await turns.take(place, connectionsMax, signal))) {
      return failedBefore('timeout', 'no free connection in time')
    }
    return exchange(agents.for(request), target, request, () => turns.giveBack(place))
  }

  async function send(request: OutboundRequest): Promise<OutboundResult> {
    const reading = read(request.url)
    if (!reading.ok) return failedBefore('refused_address', `the URL ${reading.problem}`)
    const { target } = reading
    const isNamed = target.literal === undefined && settings.resolve === undefined
    const lastTryMs = performance.now() + (request.resolvesWithinMs ?? 0) - NAME_PAUSE_MS
    for (;;) {
      if (isNamed && !names.isKnown(target.hostname)) {
        const trouble = await findName(names, target.hostname, request, lastTryMs)
        if (trouble !== undefined) return trouble
      }
      const result = await exchangeInTurn(target, request)
      // A known address may expire between the look above and the connection, which then asks for the name itself.
      if (!isNamed || !isNameFailure(result) || performance.now() > lastTryMs) return result
      await pause(NAME_PAUSE_MS, request.signal)
    }
  }

  return {
    send(request) {
      const sent = send(request).finally(() => underway.remove(ticket))
      const ticket = underway.add(sent)
      return sent
    },
    refusalOf: (url) => refusalOfUrl(url, settings.allow),
    async close() {
      await Promise.all(underway.list())
      await agents.destroy()
    },
  }
}

/**
 * Pools of connections. A pool's size is fixed when it is made, and a request with its own connection must find no
 * other's there: each combination of options has its own pool.
 */
function createAgents(connect: ReturnType<typeof createConnector>, keepAliveMs: number) {
  const agents = new Map<string, Agent>()
  return {
    for({ connectionsMax, ownConnection = false }: OutboundRequest): Agent {
      const wish = `${connectionsMax} ${ownConnection}`
      const existing = agents.get(wish)
      if (existing !== undefined) return existing
      const agent = new Agent({
        connect,
        connections: connectionsMax,
        keepAliveTimeout: keepAliveMs,
        keepAliveMaxTimeout: keepAliveMs,
        maxHeaderSize: ANSWER_HEADER_BYTES_MAX,
        // Each connection has one request at a time: none is ever repeated because another one failed.
        pipelining: 1,
        allowH2: false,
      })
      agents.set(wish, agent)
      return agent
    },
    /** Ends all connections. A close would wait for connections that are no longer needed. */
    async destroy(): Promise<void> {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()))
    },
  }
}

function rememberReadings(): (url: string) => TargetReading {
  const readings = new Map<string, TargetReading>()
  return (url) => {
    const known = readings.get(url)
    if (known !== undefined) return known
    const reading = readTarget(url)
    if (readings.size >= READINGS_MAX) readings.clear()
    // A URL with a query is hardly ever requested again.
    if (!url.includes('?')) readings.set(url, reading)
    return reading
  }
}

function failedBefore(stage: FailureStage, reason: string): OutboundResult {
  return { kind: 'failed', stage, wasSent: false, reason }
}

/** Codes of a failed lookup. A refused or broken connection has other ones, and is not tried again here. */
const NAME_FAILURES = new Set(['ENOTFOUND', 'ENODATA', 'ETIMEOUT', 'ESERVFAIL', 'EREFUSED', 'ENONAME'])

function isNameFailure(result: OutboundResult): boolean {
  return result.kind === 'failed' && !result.wasSent && NAME_FAILURES.has(result.reason)
}

/** Pause between two lookups of a name that does not resolve. */
const NAME_PAUSE_MS = 500

/**
 * Looks up a name before a connection is opened: here the owner is known. A request whose name does not resolve was
 * certainly not sent, and may be tried again for as long as it allows. Returns undefined when the addresses are known.
 */
async function findName(
  names: Names,
  hostname: string,
  { owner, signal }: OutboundRequest,
  lastTryMs: number,
): Promise<OutboundResult | undefined> {
  for (;;) {
    const error = await names.resolve(hostname, { owner, signal }).then(
      () => undefined,
      (trouble: NodeJS.ErrnoException) => trouble,
    )
    if (error === undefined) return undefined
    if (signal.aborted) return failedBefore('timeout', 'no address in time')
    if (performance.now() > lastTryMs) return failedBefore('not_connected', error.code ?? error.name)
    await pause(NAME_PAUSE_MS, signal)
  }
}

function pause(pauseMs: number, signal: EndSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, pauseMs)
    signal.addEventListener('abort', end, { once: true })
  })
}
