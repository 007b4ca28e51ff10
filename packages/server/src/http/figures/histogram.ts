/** Observation that stands for its bucket: the request or payment behind it, its value and its time. */
export type Exemplar = {
  readonly labelSet: Readonly<Record<string, string>>
  readonly value: number
  /** Seconds since 1970. */
  readonly timestamp: number
}

export type Sample = {
  readonly metricName: string
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  readonly exemplar?: Exemplar
}

/** One set of labels. It is made once, so that an observation costs some additions and no lookup. */
export type Series = {
  /** Counts a value. `exemplar`: id of the request or payment that it is about. */
  observe(value: number, exemplar?: string): void
}

export type Histogram = {
  readonly name: string
  readonly help: string
  readonly type: 'histogram'
  readonly aggregator: 'sum'
  /** Makes the series of these labels; a second call with the same labels makes a second one, so keep the first. */
  series(labels: Readonly<Record<string, string>>): Series
  /** Reads the figures, in the form that the registry of metrics expects. */
  get(): Promise<Pick<Histogram, 'name' | 'help' | 'type' | 'aggregator'> & { readonly values: Sample[] }>
}

/**
 * Histogram with exemplars. The library's own builds objects and hashes the labels at every observation, and loses
 * exemplars where processes are summed.
 */
export function createHistogram(settings: {
  readonly name: string
  readonly help: string
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[]
  /** Name of the label that an exemplar has. */
  readonly exemplarLabel: string
}): Histogram {
  const { name, help, buckets, exemplarLabel } = settings
  const head = { name, help, type: 'histogram', aggregator: 'sum' } as const
  const readers: (() => Sample[])[] = []
  return {
    ...head,
    series(labels) {
      const { observe, read } = createSeries(name, labels, buckets, exemplarLabel)
      readers.push(read)
      return { observe }
    },
    get: async () => ({ ...head, values: readers.flatMap((read) => read()) }),
  }
}

function createSeries(
  name: string,
  labels: Readonly<Record<string, string>>,
  buckets: readonly number[],
  exemplarLabel: string,
): Series & { read(): Sample[] } {
  const last = buckets.length
  const counts = new Float64Array(last + 1)
  const ids: (string | undefined)[] = new Array(last + 1).fill(undefined)
  const values = new Float64Array(last + 1)
  const timesMs = new Float64Array(last + 1)
  let sum = 0

  function exemplarOf(index: number): { exemplar?: Exemplar } {
    const id = ids[index]
    if (id === undefined) return {}
    const labelSet = { [exemplarLabel]: id }
    return {
      exemplar: { labelSet, value: values[index] ?? 0, timestamp: (timesMs[index] ?? 0) / 1_000 },
    }
  }

  return {
    observe(value, exemplar) {
      let index = 0
      while (index < last && value > (buckets[index] as number)) index += 1
      counts[index] = (counts[index] as number) + 1
      sum += value
      if (exemplar === undefined) return
      ids[index] = exemplar
      values[index] = value
      timesMs[index] = Date.now()
    },
    read() {
      let count = 0
      const samples: Sample[] = []
      for (let index = 0; index <= last; index += 1) {
        count += counts[index] as number
        const le = index === last ? '+Inf' : (buckets[index] as number)
        samples.push({
          metricName: `${name}_bucket`,
          labels: { le, ...labels },
          value: count,
          ...exemplarOf(index),
        })
      }
      samples.push({ metricName: `${name}_sum`, labels, value: sum })
      samples.push({ metricName: `${name}_count`, labels, value: count })
      return samples
    },
  }
}
