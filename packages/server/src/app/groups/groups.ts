import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { GroupConfig } from '../../config/groups.ts'
import { configOfGroup, hostOf } from '../../config/groups.ts'
import type { Config } from '../../config.ts'
import type { Edge, EdgeOptions, Place } from '../../http/edge.ts'
import type { GroupState } from '../../http/health.ts'
import type { EdgeMetrics, MetricsSource } from '../../http/metrics.ts'
import { createMetrics, sourceOf } from '../../http/metrics.ts'
import { RequestError } from '../../lib/errors.ts'
import { DIRECTORY_STALE_MS } from '../../modules/accounts/directory.ts'
import { groupOfKey } from '../../modules/accounts/rules.ts'
import type { Runtime } from '../../runtime.ts'
import { openRuntime } from '../../runtime.ts'
import type { Carrying, Source } from './carried.jobs.ts'
import { startCarrying } from './carried.jobs.ts'
import type { Group, GroupClosing, Phase } from './group.ts'
import { openGroup } from './group.ts'

/** Groups that this process serves beside the first one. */
export type Groups = {
  /** Finds the group of a request: that of its API key, or else that of its host. undefined: the first group. */
  readonly find: NonNullable<EdgeOptions['findPlace']>
  readiness(): Promise<GroupState[]>
  /** Serves pages anew that were built anew. */
  serveAnew(): void
  /** Resolves when every group is open, or was tried once. */
  readonly tried: Promise<void>
  /** Figures of the open groups, each with the name of its group as a label. */
  readonly figures: MetricsSource
  /** Takes a step of a close in every open group. */
  close(step: keyof GroupClosing): Promise<void>
}

export type GroupsSettings = {
  readonly config: Config
  readonly logger: Logger
  readonly phase: () => Phase
  readonly prepare: Edge['prepare']
  /** First group, whose catalogue, prices and suppliers every other one has. */
  readonly source: Source
}

const RETRY_MS = 2_000
const RETRY_SECONDS = 5
/** Problem that everybody may read: the reason names a server, and stands in the log alone. */
const NOT_OPEN = 'the group is not open; the log says why'

type Entry = {
  readonly given: GroupConfig
  readonly host: string
  readonly place: { -readonly [Name in keyof Place]: Place[Name] }
  /** undefined until it is open. */
  opened:
    | {
        readonly runtime: Runtime
        readonly group: Group
        readonly metrics: EdgeMetrics
        readonly carrying: Carrying
      }
    | undefined
  /** Last reason why it could not be opened. */
  trouble: string
}

/**
 * Opens each group as soon as its database can be reached, and tries again until then: a group that is not there stops
 * its own resellers alone.
 */
export function startGroups({ config, logger, phase, prepare, source }: GroupsSettings): Groups {
  const ending = new AbortController()
  const entries = config.groups.map((given): Entry => {
    const entry: Entry = {
      given,
      host: hostOf(given.url),
      place: {
        router: undefined,
        limiter: undefined,
        onAnswered: () => {},
        refusal: () => {
          const age = entry.opened?.group.services.directory.ageMs() ?? Number.POSITIVE_INFINITY
          return age > DIRECTORY_STALE_MS ? groupUnavailable(given.name) : undefined
        },
      },
      opened: undefined,
      trouble: '',
    }
    return entry
  })
  const byName = new Map(entries.map((entry) => [entry.given.name, entry]))
  const byHost = new Map(entries.map((entry) => [entry.host, entry]))

  async function open(entry: Entry): Promise<void> {
    const { given } = entry
    const runtime = await openRuntime(configOfGroup(config, given), { purpose: 'worker' })
    try {
      const metrics = createMetrics({ ofProcess: false })
      const own = logger.child({ group: given.name })
      const group = await openGroup(runtime, own, { metrics, baseUrl: () => given.url, phase })
      await group.markReady().catch(async (error: unknown) => {
        for (const step of ['closeMoney', 'stopJobs', 'closeServices'] as const) await group.closing[step]()
        throw error
      })
      const { catalog } = group.services
      const place = { database: runtime.database, vault: runtime.vault, catalog: catalog.state }
      const carrying = startCarrying(source, place, (error) =>
        own.error({ err: error }, 'what is written in the first group does not reach this one'),
      )
      entry.opened = { runtime, group, metrics, carrying }
      entry.place.limiter = group.services.limiter
      entry.place.onAnswered = group.onAnswered
      serve(entry)
    } catch (error) {
      await runtime.close()
      throw error
    }
  }

  function serve({ opened, place }: Entry): void {
    if (opened !== undefined)
      place.router = prepare([...opened.group.operations, ...opened.group.listPages()])
  }

  /** Tries until the group is open; the first attempt resolves, whatever comes of it. */
  async function keepOpening(entry: Entry): Promise<void> {
    try {
      await open(entry)
      entry.trouble = ''
      logger.info({ group: entry.given.name }, 'the group is open')
    } catch (error) {
      const trouble = error instanceof Error ? error.message : String(error)
      if (trouble !== entry.trouble)
        logger.error({ err: error, group: entry.given.name }, 'the group is not open')
      entry.trouble = trouble
      void delay(RETRY_MS, undefined, { ref: false, signal: ending.signal }).then(
        () => {
          opening.set(entry, keepOpening(entry))
        },
        () => {},
      )
    }
  }

  const opening = new Map<Entry, Promise<void>>()
  for (const entry of entries) opening.set(entry, keepOpening(entry))

  return {
    find({ headers }) {
      const key = headers['x-api-key']
      if (typeof key === 'string') {
        const name = groupOfKey(key)
        return name === undefined ? undefined : byName.get(name)?.place
      }
      return byHost.get(String(headers.host).toLowerCase())?.place
    },
    async readiness() {
      return Promise.all(
        entries.map(async ({ given, opened }) => {
          const problems = opened === undefined ? [NOT_OPEN] : await opened.group.problems()
          const carried = opened?.carrying.state() ?? null
          return {
            name: given.name,
            status: problems.length === 0 ? 'ready' : 'unavailable',
            problems,
            carried,
          }
        }),
      )
    },
    serveAnew: () => entries.forEach(serve),
    tried: Promise.all(opening.values()).then(() => {}),
    figures: {
      async read() {
        const read = entries.map(async ({ given, opened }) => {
          const figures = opened === undefined ? [] : await sourceOf(opened.metrics.registry).read()
          return figures.map((metric) => ({
            ...metric,
            values: metric.values.map((figure) => ({
              ...figure,
              labels: { ...figure.labels, group: given.name },
            })),
          }))
        })
        return (await Promise.all(read)).flat()
      },
    },
    async close(step) {
      ending.abort()
      await Promise.all(opening.values())
      const closed = entries.map(async ({ opened }) => {
        if (step === 'stopJobs') await opened?.carrying.stop()
        await opened?.group.closing[step]()
        if (step === 'closeServices') await opened?.runtime.close()
      })
      await Promise.all(closed)
    },
  }
}

function groupUnavailable(name: string): RequestError {
  return new RequestError({
    status: 503,
    code: 'group_unavailable',
    publicText: 'The service is temporarily unavailable for this account. Please try again.',
    internalText: `the group ${name} cannot be reached`,
    headers: { 'Retry-After': String(RETRY_SECONDS) },
  })
}
