import { writeFileSync } from 'node:fs'
import type { TestCase, TestModule, TestSpecification } from 'vitest/node'
import { DefaultReporter } from 'vitest/node'
import type { Failure } from './repeats.ts'

/**
 * Prints one line per finished test file: how many files are done, the time since the start, and this file's time.
 * Writes the failed ones to the file that WARUNG_TEST_FAILURES names, and the seconds of each to WARUNG_TEST_TIMES.
 */
export default class ProgressReporter extends DefaultReporter {
  constructor() {
    super({ summary: false })
  }

  #begunMs = 0
  #files = 0
  #done = 0
  #failures: Failure[] = []
  #seconds: Record<string, number> = {}

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications)
    this.#begunMs = performance.now()
    this.#files = specifications.length
    this.ctx.logger.log(`${this.#files} test files`)
  }

  override onTestModuleEnd(module: TestModule): void {
    this.#done += 1
    const tests = [...module.children.allTests()]
    const failed = tests.filter((test) => test.result().state === 'failed')
    const hasFailed = module.state() === 'failed'
    if (hasFailed) this.#keepFailure(module, failed)
    const state = hasFailed ? `FAILED (${failed.length} of ${tests.length} tests)` : 'ok'
    const { setupDuration, collectDuration, duration } = module.diagnostic()
    const seconds = ((setupDuration + collectDuration + duration) / 1000).toFixed(1)
    this.#seconds[module.relativeModuleId] = Number(seconds)
    const progress = `[${String(this.#done).padStart(String(this.#files).length)}/${this.#files} ${this.#elapsed()}]`
    this.ctx.logger.log(`${progress} ${module.relativeModuleId} ${state} ${seconds} s`)
  }

  override onTestRunEnd(...given: Parameters<DefaultReporter['onTestRunEnd']>): void {
    super.onTestRunEnd(...given)
    const path = process.env.WARUNG_TEST_TIMES
    if (path !== undefined) writeFileSync(path, JSON.stringify(this.#seconds))
  }

  #keepFailure(module: TestModule, failed: readonly TestCase[]) {
    const ofSuites = module.errors().map(({ message }) => ({ name: '(the file)', error: message }))
    const ofTests = failed.map((test) => ({
      name: test.fullName,
      error: String(test.result().errors?.[0]?.message ?? ''),
    }))
    this.#failures.push({ file: module.relativeModuleId, tests: [...ofSuites, ...ofTests] })
    const path = process.env.WARUNG_TEST_FAILURES
    if (path !== undefined) writeFileSync(path, JSON.stringify(this.#failures))
  }

  #elapsed() {
    const seconds = Math.round((performance.now() - this.#begunMs) / 1000)
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  }
}
