import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { createMetrics } from '../http/metrics.ts'
import { runbookPathOf } from '../modules/alerts/core/kinds.rules.ts'
import { ALERT_KIND_RULES } from '../modules/alerts/generated/kinds.types.ts'
import { problemOf } from '../testing/documented-commands.ts'
import type { Command } from './command.ts'
import { loadAllCommands } from './commands/index.ts'

const ROOT = new URL('../../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')
const RULES_FILE = 'deploy/prometheus/warung.rules.yml'

const POSTGRESQL_SETTINGS = ['archive_mode', 'archive_command', 'archive_timeout']
/** Words with an underscore that runbooks name and that are no runbooks. */
const OTHER_WORDS = new Set(['database_unavailable', 'request_id', ...POSTGRESQL_SETTINGS])

const RUNBOOKS: ReadonlyMap<string, string> = new Map(
  readdirSync(new URL('packages/server/alerts/', ROOT)).map((file): [string, string] => [
    file.slice(0, -'.md'.length),
    read(`packages/server/alerts/${file}`),
  ]),
)

/** Rules of Prometheus, as they are written: name, expression, summary and the runbook's address. */
const RULE_FORM =
  /^ {6}- alert: (\w+)\n {8}expr: (".*")\n {8}for: \d+m\n {8}labels:\n {10}severity: (?:warning|critical)\n {8}annotations:\n {10}summary: (".*")\n {10}runbook_url: (".*")\n/gm
const RULES = [...read(RULES_FILE).matchAll(RULE_FORM)].map(([, name = '', ...texts]) => {
  const [expression = '', summary = '', url = ''] = texts.map((text) => String(JSON.parse(text)))
  return { name, expression, summary, url }
})

describe('the runbooks', () => {
  it('exist for every kind of alert and every rule of Prometheus, and for no other', () => {
    const names = [...Object.keys(ALERT_KIND_RULES), ...RULES.map(({ name }) => name)]
    expect(RULES.length).toBeGreaterThan(10)
    expect([...RUNBOOKS.keys()].sort()).toEqual(names.sort())
  })

  it('each has the place on the page that alerts and rules link to', () => {
    for (const kind of Object.keys(ALERT_KIND_RULES)) {
      expect(runbookPathOf(kind)).toBe(`/docs/operators/runbooks#${kind}`)
    }
    for (const { name, url } of RULES) expect(url).toContain(`/docs/operators/runbooks#${name.toLowerCase()}`)
  })
})

describe('the commands of the runbooks', () => {
  let commands: readonly Command[]
  beforeAll(async () => {
    commands = await loadAllCommands()
  })

  /** Returns the problem with a command line; undefined: the command and all its options exist. */
  const problemIn = (line: string) => problemOf(commands, line.replace(/^warungd /, '').split(' '), 'whole')

  /** Commands stand at the end of a step. */
  const lines = [...RUNBOOKS.values()].flatMap((section) =>
    [...section.matchAll(/^\d+\. .*`(warungd [^`]*)`$/gm)].map(([, command = '']) => command),
  )

  it('exist, with the options that they are given, and miss none that they need', () => {
    expect(lines.length).toBeGreaterThan(50)
    expect(lines.flatMap((line) => problemIn(line) ?? [])).toEqual([])
  })

  it('a command or an option that does not exist is noticed', () => {
    expect(problemIn('warungd payment vanish')).toContain('no command')
    expect(problemIn('warungd payment stuck --limits 3')).toContain('--limits')
    expect(problemIn('warungd alert clear')).toContain('id missing')
  })

  it('a runbook that another one names exists', () => {
    const named = [...RUNBOOKS.values()].flatMap((section) =>
      [...section.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name = '']) => name),
    )
    expect(named.filter((name) => !RUNBOOKS.has(name) && !OTHER_WORDS.has(name))).toEqual([])
  })
})

/** Figures of Patroni, which runs the database servers of a cluster. */
const PATRONI = ['patroni_primary', 'patroni_sync_standby']

/** Figures by name, with their labels: those of docs/metrics.md, of Patroni, and those that Node.js adds. */
async function knownMetrics(): Promise<Map<string, string>> {
  const rows = read('docs/metrics.md').matchAll(/^\| `(warung_\w+)` \| (\w+) \| (.*?) \|/gm)
  const ours = [...rows].flatMap(([, name = '', type = '', labels = '']): [string, string][] =>
    type === 'histogram'
      ? ['bucket', 'sum', 'count'].map((part) => [`${name}_${part}`, `${labels} \`le\``])
      : [[name, labels]],
  )
  const usual = await createMetrics().registry.getMetricsAsJSON()
  const others: [string, string][] = [['up', '`job`'], ...PATRONI.map((name): [string, string] => [name, ''])]
  return new Map([...usual.map(({ name }): [string, string] => [name, '']), ...ours, ...others])
}

type Expression = { readonly where: string; readonly text: string; readonly legend?: string }

function expressions(): Expression[] {
  const rules = RULES.map(({ name, expression }) => ({ where: name, text: expression }))
  const { panels } = JSON.parse(read('deploy/grafana/warung.json')) as {
    panels: { title: string; targets?: { expr: string; legendFormat: string }[] }[]
  }
  const queries = panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ where: title, text: expr, legend: legendFormat })),
  )
  expect(queries.length).toBeGreaterThan(20)
  return [...rules, ...queries]
}

/** Labels that Prometheus itself adds. */
const OWN_LABELS = new Set(['instance', 'job'])

describe('the rules of Prometheus and the dashboard of Grafana', () => {
  it('use only metrics and labels that exist', async () => {
    const known = await knownMetrics()
    const problems = expressions().flatMap(({ where, text, legend = '' }) => {
      const names = [...text.matchAll(/\b(up|(?:warung|nodejs|process|patroni)_\w+)/g)].map(([name]) => name)
      const labels = names.map((name) => known.get(name) ?? '').join(' ')
      const asked = [
        ...[...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, ?/)),
        ...[...text.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) =>
          [...list.matchAll(/(\w+)=/g)].map(([, each = '']) => each),
        ),
        ...[...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, each = '']) => each),
      ]
      return [
        ...(names.length === 0 ? [`${where}: no metric`] : []),
        ...names.filter((name) => !known.has(name)).map((name) => `${where}: ${name}`),
        ...asked
          .filter((label) => !OWN_LABELS.has(label) && !labels.includes(`\`${label}\``))
          .map((label) => `${where}: label ${label}`),
      ]
    })
    expect(problems).toEqual([])
  })

  it('have balanced brackets and quotes', () => {
    for (const { where, text } of expressions()) {
      for (const [open, close] of ['()', '{}', '[]']) {
        const count = (sign: string | undefined) => text.split(sign ?? '').length
        expect([where, count(open)]).toEqual([where, count(close)])
      }
      expect([where, (text.split('"').length - 1) % 2]).toEqual([where, 0])
    }
  })

  it('each rule names its severity, its time, its summary and a runbook', () => {
    for (const { expression, summary } of RULES) expect([expression, summary]).not.toContain('')
    const rest = read(RULES_FILE)
      .replaceAll(RULE_FORM, '')
      .split('\n')
      .filter((line) => !line.startsWith('#') && line !== '')
    expect(rest).toEqual(['groups:', '  - name: warung', '    rules:'])
  })

  it('the example for Prometheus reads the usual address, the rules, and sets the label that their links need', () => {
    const example = read('deploy/prometheus/prometheus.yml')
    expect(example).toMatch(/^rule_files:\n {2}- warung\.rules\.yml$/m)
    expect(example).toMatch(/^ {2}external_labels:\n(?: {4}#.*\n)* {4}warung: https:\/\/\S+$/m)
    expect(example).toMatch(/^ {2}- job_name: warung$/m)
    expect(example).toContain("targets: ['127.0.0.1:9464']")
  })

  it('promtool finds no fault in them, where it is installed', () => {
    const paths = [RULES_FILE].map((path) => fileURLToPath(new URL(path, ROOT)))
    try {
      execFileSync('promtool', ['check', 'rules', ...paths], { stdio: 'pipe' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
    expect(paths).toHaveLength(1)
  })
})
