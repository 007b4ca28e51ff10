import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { createMetrics } from '../http/metrics.ts'
import { ALERT_KIND_RULES, runbookPathOf } from '../modules/alerts/alert/kinds.rules.ts'
import { METRIC_RULES } from '../modules/alerts/runbooks/metrics.rules.ts'
import { RUNBOOKS } from '../modules/alerts/runbooks/runbooks.rules.ts'
import type { MetricRule, Runbook } from '../modules/alerts/runbooks/runbooks.types.ts'
import { prometheusRules, runbooksPage } from '../modules/alerts/runbooks/runbooks.view.ts'
import { problemOf } from '../testing/documented-commands.ts'
import type { Command } from './command.ts'
import { loadAllCommands } from './commands/index.ts'

const ROOT = new URL('../../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')
const RULES_FILE = 'deploy/prometheus/warung.rules.yml'

/** Words with an underscore that runbooks name and that are no runbooks. */
const OTHER_WORDS = new Set(['database_unavailable', 'request_id'])

const ALL: readonly (readonly [string, MetricRule['runbook'] & Partial<Runbook>])[] = [
  ...Object.entries(RUNBOOKS),
  ...METRIC_RULES.map(({ name, runbook }) => [name, runbook] as const),
]

describe('the runbooks', () => {
  it('exist for every kind of alert, and for no other', () => {
    expect(Object.keys(RUNBOOKS).toSorted()).toEqual(Object.keys(ALERT_KIND_RULES).toSorted())
  })

  it.each(ALL)(
    '%s says where to look first and what to do',
    (_name, { look, act, cost, clears, subject }) => {
      expect(look.length).toBeGreaterThan(0)
      expect(act.length).toBeGreaterThan(0)
      for (const text of [cost, clears ?? 'By its rule.', subject ?? 'By its labels.'])
        expect(text).toMatch(/[.]$/)
    },
  )

  it('each has the place on the page that alerts and rules link to', () => {
    const anchors = [...runbooksPage().matchAll(/^### (\w+)$/gm)].map(([, name = '']) => name.toLowerCase())
    expect(anchors.toSorted()).toEqual(ALL.map(([name]) => name.toLowerCase()).toSorted())
    const kinds = Object.keys(ALERT_KIND_RULES)
    expect(kinds.map(runbookPathOf)).toEqual(kinds.map((kind) => `/docs/operators/runbooks#${kind}`))
  })

  it('docs/runbooks.md and the rules of Prometheus are what the declarations say', () => {
    expect(read('docs/runbooks.md')).toBe(runbooksPage())
    expect(read(RULES_FILE)).toBe(prometheusRules())
  })
})

describe('the commands of the runbooks', () => {
  let commands: readonly Command[]
  beforeAll(async () => {
    commands = await loadAllCommands()
  })

  /** Returns the problem with a command line; undefined: the command and all its options exist. */
  const problemIn = (line: string) =>
    problemOf(commands, line.replace(/^npx warungd /, '').split(' '), 'whole')

  const lines = ALL.flatMap(([, { look, act, clears }]) => [
    ...[...look, ...act].flatMap(({ command }) => command ?? []),
    ...[...(clears ?? '').matchAll(/`(npx warungd [^`]*)`/g)].map(([, command = '']) => command),
  ])

  it('exist, with the options that they are given, and miss none that they need', () => {
    const ours = lines.filter((line) => line.includes('warungd'))
    expect(ours.length).toBeGreaterThan(50)
    expect(ours.flatMap((line) => problemIn(line) ?? [])).toEqual([])
  })

  it('a command or an option that does not exist is noticed', () => {
    expect(problemIn('npx warungd payment vanish')).toContain('no command')
    expect(problemIn('npx warungd payment stuck --limits 3')).toContain('--limits')
    expect(problemIn('npx warungd alert clear')).toContain('id missing')
  })

  it('a runbook that another one names exists', () => {
    const names = new Set(ALL.map(([name]) => name))
    const words = ALL.flatMap(([, { act, cost }]) => [...act.map(({ text }) => text), cost])
    const named = words.flatMap((text) =>
      [...text.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name = '']) => name),
    )
    expect(named.filter((name) => !names.has(name) && !OTHER_WORDS.has(name))).toEqual([])
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
  const rules = METRIC_RULES.map(({ name, expression }) => ({ where: name, text: expression }))
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

  it('each rule names its severity, its time, its summary and a runbook that exists', () => {
    const anchors = new Set(
      [...read('docs/runbooks.md').matchAll(/^### (\w+)$/gm)].map(([, name = '']) => name.toLowerCase()),
    )
    const form =
      /^ {6}- alert: (\w+)\n {8}expr: (".*")\n {8}for: \d+m\n {8}labels:\n {10}severity: (warning|critical)\n {8}annotations:\n {10}summary: (".*")\n {10}runbook_url: (".*")\n/gm
    const text = read(RULES_FILE)
    const rules = [...text.matchAll(form)]
    expect(rules.map(([, name]) => name)).toEqual(METRIC_RULES.map(({ name }) => name))
    for (const [, , expression = '', , summary = '', url = ''] of rules) {
      expect([JSON.parse(expression), JSON.parse(summary)]).not.toContain('')
      const anchor = String(JSON.parse(url)).split('#')[1] ?? ''
      expect(anchors.has(anchor)).toBe(true)
    }
    const rest = text
      .replaceAll(form, '')
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
