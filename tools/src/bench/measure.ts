import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Takes a line of the report. */
export type Print = (text: string) => void

export type Suite = { name: string; summary: string; run(print: Print): Promise<void> }

/** Orders of the load generator, and the figures that it met. */
export type LoadOrders = {
  url: string
  apiKey: string
  signingSecret: string
  connections: number
  requests: number
}
export type Rate = { perSecond: number; p50Ms: number; p99Ms: number; failed: number }

const LOAD = fileURLToPath(new URL('./load.js', import.meta.url))

/** Runs the load generator once, in its own process. */
export function load(orders: LoadOrders): Promise<Rate> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [LOAD, JSON.stringify(orders)], (error, stdout) => {
      if (error) return reject(error)
      const result = JSON.parse(stdout) as Rate
      if (result.failed > 0) return reject(new Error(`${result.failed} requests to ${orders.url} failed`))
      resolve(result)
    })
  })
}

/**
 * Measures candidates in turns, round after round, so that a busy neighbour affects all of them alike. It compares
 * within each round, because only ratios from one run are meaningful.
 */
export async function sideBySide<Name extends string>(
  candidates: Record<Name, () => Promise<Rate>>,
  { rounds }: { rounds: number },
) {
  const names = Object.keys(candidates) as Name[]
  const results = Object.fromEntries(names.map((name) => [name, [] as Rate[]])) as Record<Name, Rate[]>
  for (let round = 0; round <= rounds; round += 1) {
    // Every other round runs in reverse order, so that warming up or slowing down favours no candidate.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const result = await candidates[name]()
      // The first round warms up code and caches.
      if (round > 0) results[name].push(result)
    }
  }
  return results
}

export function median(values: number[]) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

export function ratioRow(runs: Rate[], baseline: Rate[], yardstick: string, wanted: number) {
  const ratios = runs.map(({ perSecond }, round) => perSecond / (baseline[round]?.perSecond ?? Number.NaN))
  return `  ${median(ratios).toFixed(2)} of ${yardstick} (wanted: at least ${wanted})`
}

export function row(name: string, runs: Rate[]) {
  const figure = (key: 'perSecond' | 'p50Ms' | 'p99Ms', digits: number) =>
    median(runs.map((run) => run[key])).toFixed(digits)
  return `  ${name.padEnd(34)} ${figure('perSecond', 0).padStart(7)}/s   p50 ${figure('p50Ms', 2)} ms   p99 ${figure('p99Ms', 2)} ms`
}
