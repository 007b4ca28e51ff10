import { DefaultReporter } from 'vitest/node'

/** Prints one line per finished test file: how many files are done, the time since the start, and this file's time. */
export default class ProgressReporter extends DefaultReporter {
  constructor() {
    super({ summary: false })
  }

  #begunMs = 0
  #files = 0
  #done = 0

  onTestRunStart(specifications) {
    super.onTestRunStart?.(specifications)
    this.#begunMs = performance.now()
    this.#files = specifications.length
    this.ctx.logger.log(`${this.#files} test files`)
  }

  onTestModuleEnd(module) {
    this.#done += 1
    const tests = [...module.children.allTests()]
    const failed = tests.filter((test) => test.result().state === 'failed').length
    const state = module.state() === 'failed' ? `FAILED (${failed} of ${tests.length} tests)` : 'ok'
    const seconds = (module.diagnostic().duration / 1000).toFixed(1)
    const progress = `[${String(this.#done).padStart(String(this.#files).length)}/${this.#files} ${this.#elapsed()}]`
    this.ctx.logger.log(`${progress} ${module.relativeModuleId} ${state} ${seconds} s`)
  }

  #elapsed() {
    const seconds = Math.round((performance.now() - this.#begunMs) / 1000)
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  }
}
