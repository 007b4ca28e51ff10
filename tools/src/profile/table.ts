import type { Print } from '../bench/measure.ts'
import { median } from '../bench/measure.ts'
import type { Profile, Sums } from './node.ts'
import { add } from './node.ts'
import type { Accounts, Inner } from './postgres.ts'
import { callsOf } from './postgres.ts'
import type { Parts, Round, Scenario } from './rounds.ts'
import { NODE_STAGES, OF_NODE } from './stages.ts'

const NODE = 'Node'
const OUTSIDE = 'outside JavaScript: reads, parser, epoll'
/** Statements below this are one row; the stages of Node are all shown. */
const SMALL_MICROS = 2

/** Rounds and shares of one scenario. */
export type Measured = {
  scenario: Scenario
  plain: Round[]
  profiledCpu: Parts
  stages: Profile[]
  accounts: Accounts
  inner: Inner
}

type Row = [label: string, micros: number]
export type Group = { name: string; rows: Row[]; sum: number; kernel: number }
type Table = { name: string; groups: Group[]; payers: number; functions: Row[] }
type Per = (micros: number) => number
type Scale = { per: Per; main: number; profiledMain: number }
type Backends = { accounts: Accounts; inner: Inner; per: Per; backends: number }

/** Builds the rows of one scenario: microseconds of CPU per payment. */
export function buildTable({ scenario, plain, profiledCpu, stages, accounts, inner }: Measured): Table {
  const per = (micros: number) => micros / scenario.payments
  const names = [...(plain[0]?.cpu.keys() ?? [])]
  const parts = (key: 'cpu' | 'kernel'): Sums =>
    new Map(names.map((name) => [name, per(median(plain.map(({ cpu }) => cpu.get(name)?.[key] ?? 0)))]))
  const cpu = parts('cpu')
  const kernel = parts('kernel')
  const main = cpu.get('main threads') ?? 0
  const profiledMain = per(profiledCpu.get('main threads')?.cpu ?? 0)
  const node = nodeRows(stages, { per, main, profiledMain })
  node.push(['helper threads: garbage collection, compiler', cpu.get('helper threads') ?? 0])
  node.push(['first process', cpu.get('first process') ?? 0])
  const postgres = postgresRows({ accounts, inner, per, backends: cpu.get('backends') ?? 0 })
  for (const [name, micros] of cpu) if (!NOT_OF_SERVER.has(name)) postgres.push([name, micros])
  return {
    name: scenario.name,
    groups: [
      group(NODE, node, [...OF_NODE], kernel),
      group(
        'PostgreSQL',
        postgres,
        [...cpu.keys()].filter((name) => !OF_NODE.has(name)),
        kernel,
      ),
    ],
    payers: per(median(plain.map(({ payersCpu }) => payersCpu))),
    functions: hottest(stages, per, profiledMain === 0 ? 1 : main / profiledMain),
  }
}

const NOT_OF_SERVER = new Set([...OF_NODE, 'backends'])

function group(name: string, rows: Row[], names: string[], kernel: Sums): Group {
  const sum = rows.reduce((total, [, micros]) => total + micros, 0)
  return { name, rows, sum, kernel: names.reduce((total, each) => total + (kernel.get(each) ?? 0), 0) }
}

/** Scales the samples to the CPU of the rounds without the profiler, which itself costs CPU. */
function nodeRows(profiles: Profile[], { per, main, profiledMain }: Scale): Row[] {
  const scale = profiledMain === 0 ? 1 : main / profiledMain
  const sums: Sums = new Map()
  for (const { stages } of profiles)
    for (const [stage, micros] of stages) add(sums, stage, per(micros) * scale)
  const sampled = [...sums.values()].reduce((total, micros) => total + micros, 0)
  // More samples than CPU: the machine was busy, and the process waited while it was counted.
  const fit = Math.min(1, main / sampled)
  const rows: Row[] = NODE_STAGES.map((stage) => [stage, (sums.get(stage) ?? 0) * fit])
  rows.push([OUTSIDE, Math.max(0, main - sampled)])
  return rows
}

function postgresRows({ accounts, inner, per, backends }: Backends): Row[] {
  const rows: Row[] = []
  const claimed = new Set<string>()
  let accounted = 0
  const sorted = [...accounts].sort(([, a], [, b]) => b.execute + b.bind - a.execute - a.bind)
  for (const [label, { bind, execute }] of sorted) {
    accounted += bind + execute
    const parts = inner.has(label) ? partsOf(label, inner, claimed) : new Map<string, number>()
    const weight = [...parts.values()].reduce((total, micros) => total + micros, 0)
    if (weight === 0) rows.push([label, per(bind + execute)])
    else {
      rows.push([`${label}: bind its values`, per(bind)])
      for (const [part, micros] of parts) rows.push([part, per((micros / weight) * execute)])
    }
  }
  rows.push(['commits, protocol, begin of statements', Math.max(0, backends - per(accounted))])
  return rows
}

/** Divides a function's time among its statements, those of the functions that it calls, and PL/pgSQL itself. */
function partsOf(name: string, inner: Inner, claimed: Set<string>): Sums {
  const parts: Sums = new Map()
  const own = inner.get(name)
  if (own === undefined || claimed.has(name)) return parts
  claimed.add(name)
  let counted = 0
  for (const [statement, micros] of own.statements) {
    counted += micros
    add(parts, `${name}: ${statement}`, micros)
  }
  add(parts, `${name}: PL/pgSQL`, Math.max(0, own.self - counted))
  for (const called of callsOf(name)) {
    for (const [part, micros] of partsOf(called, inner, claimed)) add(parts, part, micros)
  }
  return parts
}

const HOTTEST = 25

function hottest(profiles: Profile[], per: Per, scale: number): Row[] {
  const sums: Sums = new Map()
  for (const { functions } of profiles)
    for (const [name, micros] of functions) add(sums, name, per(micros) * scale)
  return [...sums].sort(([, a], [, b]) => b - a).slice(0, HOTTEST)
}

const WIDTH = 62

/** Prints the tables of all scenarios side by side. */
export function printTable(print: Print, tables: Table[]) {
  const totals = tables.map(({ groups }) => groups.reduce((total, { sum }) => total + sum, 0))
  const line = (label: string, values: (number | undefined)[], shares = true) =>
    print(
      `  ${label.padEnd(WIDTH)}${values
        .map((value, index) =>
          value === undefined
            ? ' '.repeat(18)
            : `${value.toFixed(1).padStart(9)}${shares ? `${((value / (totals[index] ?? Number.NaN)) * 100).toFixed(1).padStart(7)} %` : ' '.repeat(9)}`,
        )
        .join('')}`,
    )
  print(
    `  ${'µs of CPU per payment, and share'.padEnd(WIDTH)}${tables.map(({ name }) => name.padStart(18)).join('')}`,
  )
  for (const name of [NODE, 'PostgreSQL']) {
    const groups = tables.flatMap((table) => table.groups.filter((each) => each.name === name))
    print(`  ${name}`)
    for (const [label, values] of merged(groups)) line(`  ${label}`, values)
    line(
      `= ${name}`,
      groups.map(({ sum }) => sum),
    )
    line(
      '  of which in the kernel',
      groups.map(({ kernel }) => kernel),
    )
  }
  line('= all', totals)
  line(
    'the load generator, not included',
    tables.map(({ payers }) => payers),
    false,
  )
  for (const { name, functions } of tables) {
    print(`  functions of Node with the most time of their own, ${name}`)
    for (const [label, micros] of functions) print(`    ${micros.toFixed(1).padStart(6)}  ${label}`)
  }
}

/** Joins the rows of the scenarios by their labels; rows that are small everywhere become one. */
function merged(groups: Group[]) {
  const rows = new Map<string, (number | undefined)[]>()
  for (const [index, { rows: own }] of groups.entries()) {
    for (const [label, micros] of own) {
      const values = rows.get(label) ?? groups.map((): undefined => undefined)
      values[index] = (values[index] ?? 0) + micros
      rows.set(label, values)
    }
  }
  const small = groups.map(() => 0)
  for (const [label, values] of rows) {
    if (groups[0]?.name === NODE || values.some((value) => (value ?? 0) >= SMALL_MICROS)) continue
    for (const [index, value] of values.entries()) small[index] = (small[index] ?? 0) + (value ?? 0)
    rows.delete(label)
  }
  if (small.some((value) => value > 0))
    rows.set(`statements and processes below ${SMALL_MICROS} µs each`, small)
  return rows
}
