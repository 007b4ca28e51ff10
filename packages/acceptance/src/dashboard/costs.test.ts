import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TRUST_TEST_PROXY } from '../clients.ts'
import type { Side } from '../portal/people.ts'
import type { Service, TestDatabase } from '../service.ts'
import { createDatabase, startService, stopServices, until } from '../service.ts'
import type { Visitor } from './browser.ts'
import { hasBrowser, openVisitor } from './browser.ts'
import type { FurnishedShop } from './pages.ts'
import { filledPath, openFurnishedShop, PROVIDER_PAGE, signedInPages } from './pages.ts'
import type { StatementCounter } from './statement-counter.ts'
import { startStatementCounter } from './statement-counter.ts'

// Measures what each page costs the service, when WARUNG_TEST_PAGE_COSTS is set, and prints a table of it.

const isWanted = process.env.WARUNG_TEST_PAGE_COSTS !== undefined && hasBrowser()

/** Time in which the statements of the service's own jobs become known. */
const BACKGROUND_MS = 20_000
/** Statements that hold others together, and ask for nothing. */
const IS_FRAMING = /^(begin|commit|rollback|set |start transaction)/i

describe.runIf(isWanted)('the cost of a page', () => {
  let database: TestDatabase
  let counter: StatementCounter
  let service: Service
  let shop: FurnishedShop
  const background = new Set<string>()
  let seen = 0

  beforeAll(async () => {
    database = await createDatabase()
    const url = new URL(database.url)
    const port = Number(url.port)
    const directory = url.searchParams.get('host')
    counter = await startStatementCounter(
      directory === null ? { host: url.hostname, port } : { path: `${directory}/.s.PGSQL.${port}` },
    )
    url.searchParams.delete('host')
    url.host = `127.0.0.1:${counter.port}`
    service = await startService({
      database: { ...database, url: url.href },
      environment: { ...TRUST_TEST_PROXY, WARUNG_DEMO: 'all' },
    })
    shop = await openFurnishedShop(service)
    counter.take()
    await new Promise((resolve) => setTimeout(resolve, BACKGROUND_MS))
    for (const statement of counter.take()) background.add(statement)
  })
  afterAll(async () => {
    await stopServices()
    await counter?.close()
    await database?.drop()
  })

  it.each<Side>(['portal', 'operator'])('is printed for each page of the %s', async (side) => {
    const visitor = await openVisitor(service)
    await visitor.letIn(side === 'portal' ? shop.admin : shop.operator)
    const lines: string[] = []
    const paths = signedInPages(side).filter((path) => path !== PROVIDER_PAGE)
    for (const path of paths) {
      lines.push(await costOf(visitor, path, filledPath(path, shop.examples[side])))
    }
    await visitor.close()
    const head = ['page', 'reads', 'round trips', 'longest, ms', 'together, ms', 'statements']
    process.stdout.write(`\n| ${head.join(' | ')} |\n|${head.map(() => '---|').join('')}\n${lines.join('')}`)
    expect(lines).toHaveLength(paths.length)
  })

  /** Opens a page twice, so that files and plans are warm, and measures the second time. */
  async function costOf(visitor: Visitor, path: string, filled: string): Promise<string> {
    await visitor.go(filled)
    await visitor.settle()
    await durations()
    // The second time all paths are known, so that no read counts as a further step.
    const depth = Math.max(0, ...visitor.reads.take().map((each) => each.depth))
    counter.take()
    await visitor.go(filled)
    await visitor.settle()
    const statements = counter.take().filter((each) => !IS_FRAMING.test(each.trim()) && !background.has(each))
    const reads = visitor.reads.take()
    const served = await durations()
    const together = served.reduce((sum, each) => sum + each, 0)
    const longest = Math.max(0, ...served)
    const cells = [path, reads.length, depth, longest.toFixed(0), together.toFixed(0), statements.length]
    return `| ${cells.join(' | ')} |\n`
  }

  /** Returns the milliseconds that the service took for each read since the last call, by its own log. */
  async function durations(): Promise<number[]> {
    const marker = (await service.get('/marker')).headers['x-request-id']
    const lines = await until('the log has everything up to now', async () => {
      const written = service.log()
      return written.some(({ request_id: id }) => id === marker) && written
    })
    const fresh = lines.slice(seen)
    seen = lines.length
    return fresh
      .filter(({ route, msg }) => msg === 'request' && IS_READ.test(String(route)))
      .map(({ duration_ms: ms }) => Number(ms))
  }
})

const IS_READ = /^\/(portal|operator)\/v1\/(?!live$)/
