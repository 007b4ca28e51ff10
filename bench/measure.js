import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const LOAD = fileURLToPath(new URL('./load.js', import.meta.url))

/** Runs the load generator once, in its own process. */
export function load(orders) {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [LOAD, JSON.stringify(orders)], (error, stdout) => {
      if (error) return reject(error)
      const result = JSON.parse(stdout)
      if (result.failed > 0) return reject(new Error(`${result.failed} requests to ${orders.url} failed`))
      resolve(result)
    })
  })
}

/**
 * Measures candidates in turns, round after round, so that a busy neighbour affects all of them alike. It compares
 * within each round, because only ratios from one run are meaningful.
 */
export async function sideBySide(candidates, { rounds }) {
  const names = Object.keys(candidates)
  const results = Object.fromEntries(names.map((name) => [name, []]))
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

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

export function medianRatio(results, name, baseline) {
  return median(results[name].map((result, round) => result.perSecond / results[baseline][round].perSecond))
}

/** Names of the yardsticks in `bare.js`, as a reader knows them. */
const YARDSTICKS = { route: 'a bare route', handler: 'a bare node:http handler' }

export function ratioRow(results, name, yardstick, wanted) {
  const ratio = medianRatio(results, name, yardstick).toFixed(2)
  return `  ${ratio} of ${YARDSTICKS[yardstick]} (wanted: at least ${wanted})`
}

export function row(name, runs) {
  const figure = (key, digits) => median(runs.map((run) => run[key])).toFixed(digits)
  return `  ${name.padEnd(34)} ${figure('perSecond', 0).padStart(7)}/s   p50 ${figure('p50Ms', 2)} ms   p99 ${figure('p99Ms', 2)} ms`
}
