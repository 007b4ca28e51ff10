// Simulation of a day at a given number of payments, on costs that were measured. It answers how many groups of
// resellers (each with a database and nodes of its own) a number needs, and what the busiest minute looks like.
// `npm run bench -- capacity --payments 100000000`. It needs no service and takes some seconds.
const MINUTES = 24 * 60

/**
 * Costs, from docs/performance.md and from `npm run bench -- payments profile` on two slow cores. Replace them by the
 * figures of your own machine: every one has an option of its name.
 */
const COSTS = {
  /** Microseconds of CPU in Node for a payment's whole life. */
  nodeMicros: 450,
  /** Milliseconds of PostgreSQL for a batch, and for each payment in it. */
  batchMs: 2.7,
  paymentMs: 0.07,
  /** Microseconds of CPU in PostgreSQL after the answer: outcome, events, chain. */
  laterMicros: 250,
  /** Bytes on disk and in the log for a payment's whole life. */
  diskBytes: 1_400,
  logBytes: 3_300,
}
const DEFAULTS = { payments: 100_000_000, cores: 16, use: 0.6, peak: 3, seed: 1, ...COSTS }

export default {
  name: 'capacity',
  summary: 'a simulated day on measured costs, by groups of resellers',
  async run(print) {
    const options = readOptions(process.argv)
    const rates = ratesOfDay(options)
    const busiest = Math.max(...rates)
    print(
      `  ${options.payments.toLocaleString('en')} payments a day: ${Math.round(options.payments / 86_400)}/s on average, ` +
        `${Math.round(busiest)}/s in the busiest minute`,
    )
    for (let groups = 1; groups <= 64; groups *= 2) {
      const group = simulateMinute(busiest / groups, options)
      print(
        `  ${String(groups).padStart(2)} ${groups === 1 ? 'database ' : 'databases'} of ${options.cores} cores: ` +
          `${group.cores.toFixed(1)} cores in use each, batches of ${group.batch.toFixed(0)}, ` +
          `p50 ${group.p50.toFixed(1)} ms, p99 ${group.p99.toFixed(1)} ms${group.isEnough ? '' : ': not enough'}`,
      )
      if (group.isEnough && group.p99 < 100) break
    }
    const gigabytes = (bytes) => Math.round((options.payments * bytes) / 1e9).toLocaleString('en')
    print(
      `  disk: ${gigabytes(options.diskBytes)} GB a day, ${gigabytes(options.diskBytes * 365)} GB a year; ` +
        `log: ${gigabytes(options.logBytes)} GB a day`,
    )
  },
}

function readOptions(words) {
  const options = { ...DEFAULTS }
  for (const [index, word] of words.entries()) {
    const name = word.startsWith('--') ? word.slice(2) : ''
    const value = Number(words[index + 1])
    if (name in options && value > 0) options[name] = value
  }
  return options
}

/** Returns the payments per second of each minute: quiet nights, a peak at noon and a higher one in the evening. */
function ratesOfDay({ payments, peak }) {
  const shape = Array.from({ length: MINUTES }, (_, minute) => {
    const hour = minute / 60
    const hill = (at, width) => Math.exp(-(((hour - at) / width) ** 2))
    return 0.15 + hill(12.5, 2.5) + 1.4 * hill(20, 2)
  })
  const mean = shape.reduce((sum, each) => sum + each, 0) / MINUTES
  const highest = Math.max(...shape)
  // Stretched so that the busiest minute has `peak` times the average.
  const stretch = (peak - 1) / (highest / mean - 1)
  return shape.map((each) => (payments / 86_400) * Math.max(0, 1 + (each / mean - 1) * stretch))
}

/** Simulates one minute of one group: payments arrive at random, and each lane commits what waits in one batch. */
function simulateMinute(perSecond, { cores, use, nodeMicros, batchMs, paymentMs, laterMicros, seed }) {
  const random = createRandom(seed)
  const lanes = Math.max(2, Math.floor(cores / 4))
  const free = new Array(lanes).fill(0)
  const arrivals = []
  for (let at = 0; at < 60_000; ) {
    at += (-Math.log(1 - random()) / perSecond) * 1_000
    arrivals.push(at)
  }
  const times = []
  let batches = 0
  for (let next = 0; next < arrivals.length; ) {
    const lane = free.indexOf(Math.min(...free))
    const startMs = Math.max(free[lane], arrivals[next])
    let size = 0
    while (size < 256 && next + size < arrivals.length && arrivals[next + size] <= startMs) size += 1
    const endMs = startMs + batchMs + paymentMs * size
    for (let each = next; each < next + size; each += 1)
      times.push(endMs - arrivals[each] + nodeMicros / 1_000)
    free[lane] = endMs
    next += size
    batches += 1
  }
  times.sort((a, b) => a - b)
  const batch = arrivals.length / batches
  const perPayment = nodeMicros + laterMicros + (batchMs / batch + paymentMs) * 1_000
  const coresInUse = (perSecond * perPayment) / 1e6
  return {
    batch,
    cores: coresInUse,
    p50: times[Math.floor(times.length * 0.5)],
    p99: times[Math.floor(times.length * 0.99)],
    isEnough: coresInUse <= cores * use,
  }
}

/** Returns a repeatable source of numbers between 0 and 1 (mulberry32). */
function createRandom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
