import cluster from 'node:cluster'
import type { MetricsSource } from '../metrics.ts'
import type { MetricFigures } from './exposition.ts'
import { sumMetrics } from './exposition.ts'

// Metrics of several processes: the first process asks the workers, and serves the sum.

type Question = { readonly kind: 'metrics_asked'; readonly id: number }
type Answer = {
  readonly kind: 'metrics'
  readonly id: number
  readonly figures: readonly MetricFigures[]
}

/** Longest wait for the workers. One that does not answer is left out, so that the others are still seen. */
const ANSWER_MS_MAX = 5_000

/** Reads the metrics of all workers. It is for the first process. */
export function gatherMetrics(): MetricsSource {
  let asked = 0
  return {
    async read() {
      asked += 1
      const question: Question = { kind: 'metrics_asked', id: asked }
      const workers = Object.values(cluster.workers ?? {}).filter((each) => each?.isConnected() === true)
      const answers = await Promise.all(workers.map((worker) => worker && ask(worker, question)))
      return sumMetrics(answers.filter((each) => each !== undefined))
    },
  }
}

type Asked = NonNullable<NonNullable<typeof cluster.workers>[string]>

function ask(worker: Asked, question: Question): Promise<readonly MetricFigures[] | undefined> {
  return new Promise((resolve) => {
    const end = (figures: readonly MetricFigures[] | undefined) => {
      clearTimeout(timer)
      worker.off('message', listen).off('exit', lose)
      resolve(figures)
    }
    const listen = (message: Answer) => {
      if (message.kind === 'metrics' && message.id === question.id) end(message.figures)
    }
    const lose = () => end(undefined)
    const timer = setTimeout(lose, ANSWER_MS_MAX)
    worker.on('message', listen).once('exit', lose)
    worker.send(question, (error) => {
      if (error) lose()
    })
  })
}

/** Answers the first process, from now on. It is for a worker; `source` is undefined while there are no metrics. */
export function answerForMetrics(source: () => MetricsSource | undefined): void {
  process.on('message', (message) => {
    const { kind, id } = message as Question
    if (kind !== 'metrics_asked') return
    const answer = (figures: readonly MetricFigures[]) => {
      if (!process.connected) return
      // The first process may have ended since it asked. Without a callback the error would end the worker, which still
      // has to write the answers of suppliers to a file.
      process.send?.({ kind: 'metrics', id, figures } satisfies Answer, () => {})
    }
    const read = source()?.read() ?? Promise.resolve([])
    read.then(answer, () => answer([]))
  })
}
