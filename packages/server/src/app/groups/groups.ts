import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
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
import type { SessionsOptions } from '../../modules/sessions/people/settings.types.ts'
import type { Runtime } from '../../runtime.ts'
import { openRuntime } from '../../runtime.ts'
import type { Carrying, Source } from './carried.jobs.ts'
import { startCarrying } from './carried.jobs.ts'
import type { Group, GroupClosing, Phase } from './group.ts'
import { openGroup } from './group.ts'
import { followGroupsFile } from './groups-file.ts'

/** Groups that this process serves beside the first one. */
export type Groups = {
  /** Finds the group of a request: that of its API key, or else that of its host. undefined: the first group. */
  readonly find: NonNullable<EdgeOptions['findPlace']>
  readiness(): Promise<GroupState[]>
  count(): number
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
  /** Connection of the first group, whose database is that of each group which names none. */
  readonly home: pg.ClientConfig
  /** Sessions of operators, who sign in to the first group. */
  readonly operators: SessionsOptions
}

const CLOSING_STEPS = ['checkpoint', 'closeStreams', 'closeMoney', 'stopJobs', 'closeServices'] as const
const RETRY_MS = 2_000
const RETRY_SECONDS = 5
/** Problem that everybody may read: the reason names a server, and stands in the log alone. */
const NOT_OPEN = 'the group is not open; the log says why'

type Entry = {
  given: GroupConfig
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
  /** Last reason why it could not be opened, or not be served where the file says. */
  trouble: string
  /** Address that the file named when the group was last led to its place. */
  ledTo: string | undefined
  /** False: the file lists it no more. */
  isListed: boolean
}

/**
 * Opens each group as soon as its database can be reached, and tries again until then: a group that is not there stops
 * its own resellers alone.
 */
export function startGroups({
  config,
  logger,
  phase,
  prepare,
  source,
  home,
  operators,
}: GroupsSettings): Groups {
  const ending = new AbortController()
  const byName = new Map<string, Entry>()
  const byHost = new Map<string, Entry>()
  const listEntries = () => [...byName.values()]
  const shared = { groups: () => byName.size + 1, operators }

  function add(given: GroupConfig): Entry {
    const entry: Entry = {
      given,
      place: {
        router: undefined,
        limiter: undefined,
        onAnswered: () => {},
        refusal: () => {
          const age = entry.opened?.group.services.directory.ageMs() ?? Number.POSITIVE_INFINITY
          const trouble = entry.opened?.runtime.database.whereabouts.trouble
          if (age <= DIRECTORY_STALE_MS && trouble === undefined) return undefined
          return groupUnavailable(given.name, trouble)
        },
      },
      opened: undefined,
      trouble: '',
      ledTo: given.databaseUrl,
      isListed: true,
    }
    byName.set(given.name, entry)
    return entry
  }

  function nameHosts(): void {
    byHost.clear()
    for (const entry of listEntries()) byHost.set(hostOf(entry.given.url), entry)
  }

  async function open(entry: Entry): Promise<void> {
    const { given } = entry
    const runtime = await openRuntime(configOfGroup(config, given), { purpose: 'worker' })
    try {
      const metrics = createMetrics({ ofProcess: false })
      const own = logger.child({ group: given.name })
      const group = await openGroup(runtime, own, {
        metrics,
        baseUrl: () => entry.given.url,
        phase,
        shared,
      })
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
      if (!entry.isListed) return await closeEntry(entry)
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

  /** Tells a trouble of the group, once for as long as it is the same. */
  function tell(entry: Entry, error: unknown, text: string): void {
    const trouble = error instanceof Error ? error.message : String(error)
    if (trouble !== entry.trouble) logger.error({ err: error, group: entry.given.name }, text)
    entry.trouble = trouble
  }

  /** Tries until the group is open; the first attempt resolves, whatever comes of it. */
  async function keepOpening(entry: Entry): Promise<void> {
    try {
      await open(entry)
      entry.trouble = ''
      logger.info({ group: entry.given.name }, 'the group is open')
    } catch (error) {
      tell(entry, error, 'the group is not open')
      if (!entry.isListed) return
      void delay(RETRY_MS, undefined, { ref: false, signal: ending.signal }).then(
        () => {
          opening.set(entry, keepOpening(entry))
        },
        () => {},
      )
    }
  }

  const opening = new Map<Entry, Promise<void>>()
  const begin = (given: GroupConfig) => {
    const entry = add(given)
    opening.set(entry, keepOpening(entry))
  }
  for (const given of config.groups) begin(given)
  nameHosts()

  async function closeEntry({ opened }: Entry): Promise<void> {
    await opened?.carrying.stop()
    for (const step of CLOSING_STEPS) await opened?.group.closing[step]()
    await opened?.runtime.close()
  }

  function take(listed: readonly GroupConfig[]): void {
    const names = new Set(listed.map(({ name }) => name))
    for (const [name, entry] of byName) {
      if (names.has(name)) continue
      entry.isListed = false
      byName.delete(name)
      logger.warn({ group: name }, 'the group is closed: the file of groups lists it no more')
      void closeEntry(entry).catch((error: unknown) => logger.error({ err: error }, 'a group did not close'))
    }
    for (const given of listed) {
      const entry = byName.get(given.name)
      if (entry === undefined) begin(given)
      else entry.given = given
    }
    nameHosts()
  }

  /** Leads each group to the place that the file names. One that a move led there already is there. */
  async function settle(entry: Entry): Promise<void> {
    const { given, opened } = entry
    if (opened === undefined) return
    const { database } = opened.runtime
    const wanted = given.databaseUrl ?? home.connectionString
    if (entry.given.databaseUrl !== entry.ledTo && database.options.connection.connectionString !== wanted) {
      await database.whereabouts.lead(given.databaseUrl === undefined ? home : { connectionString: wanted })
      logger.warn(
        { group: given.name },
        'the group is served from the place that the file of groups names now',
      )
    }
    entry.ledTo = entry.given.databaseUrl
    if (database.whereabouts.trouble !== undefined) throw new Error(database.whereabouts.trouble)
    entry.trouble = ''
  }

  const following = followGroupsFile(config, {
    onListed: take,
    async onLook() {
      for (const entry of listEntries()) {
        await settle(entry).catch((error: unknown) =>
          tell(entry, error, 'the group cannot be served from the place that is named for it'),
        )
      }
    },
    onProblem: (problem) =>
      logger.error({ problem }, 'the file of groups was changed and cannot be used: the earlier one holds'),
  })

  return {
    find({ headers }) {
      const key = headers['x-api-key']
      if (typeof key === 'string') {
        const name = groupOfKey(key)
        return name === undefined ? undefined : byName.get(name)?.place
      }
      return byHost.get(String(headers.host).toLowerCase())?.place
    },
    count: () => byName.size,
    async readiness() {
      return Promise.all(
        listEntries().map(async ({ given, opened }) => {
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
    serveAnew: () => listEntries().forEach(serve),
    tried: Promise.all(opening.values()).then(() => {}),
    figures: {
      async read() {
        const read = listEntries().map(async ({ given, opened }) => {
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
      await following.stop()
      await Promise.all(opening.values())
      const closed = listEntries().map(async ({ opened }) => {
        if (step === 'stopJobs') await opened?.carrying.stop()
        await opened?.group.closing[step]()
        if (step === 'closeServices') await opened?.runtime.close()
      })
      await Promise.all(closed)
    },
  }
}

function groupUnavailable(name: string, trouble = 'its database cannot be reached'): RequestError {
  return new RequestError({
    status: 503,
    code: 'group_unavailable',
    publicText: 'The service is temporarily unavailable for this account. Please try again.',
    internalText: `the group ${name} is not served: ${trouble}`,
    headers: { 'Retry-After': String(RETRY_SECONDS) },
  })
}
