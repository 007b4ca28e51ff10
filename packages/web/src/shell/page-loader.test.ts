import { expect, it } from 'vitest'
import { createPageLoader, PageNotLoaded } from './page-loader.ts'

const Page = () => null

/** Makes a loader whose module comes or not, as `isConnected` says, and counts what it asks for. */
function pageOf(state: { isConnected: boolean }) {
  const asked = { imports: 0, failures: [] as boolean[] }
  const loader = createPageLoader(
    async () => {
      asked.imports += 1
      if (!state.isConnected) throw new TypeError('Failed to fetch dynamically imported module')
      return { Page }
    },
    async (isRepeated) => {
      asked.failures.push(isRepeated)
    },
  )
  return { loader, asked }
}

/** Waits for a page that is not there yet, and returns the error that takes its place. */
async function failureOf(loader: ReturnType<typeof createPageLoader>): Promise<PageNotLoaded> {
  const error = await Promise.resolve(loader.open()).catch((caught: unknown) => caught)
  if (!(error instanceof PageNotLoaded)) throw new Error('the page did not fail')
  return error
}

it('a page that did not arrive fails, the same for every drawing of it, until it is asked for anew', async () => {
  const state = { isConnected: false }
  const { loader, asked } = pageOf(state)
  const error = await failureOf(loader)
  state.isConnected = true
  expect(await failureOf(loader)).toBe(error)
  expect(asked).toEqual({ imports: 1, failures: [false] })
  error.forget()
  await loader.open()
  expect(loader.open()).toBe(Page)
  expect(asked).toEqual({ imports: 2, failures: [false] })
})

it('a page that does not arrive again says that the failure is repeated', async () => {
  const { loader, asked } = pageOf({ isConnected: false })
  const error = await failureOf(loader)
  error.forget()
  await failureOf(loader)
  expect(asked).toEqual({ imports: 2, failures: [false, true] })
})

it('a page that could not be loaded ahead is loaded when it is opened, and nothing is told before', async () => {
  const state = { isConnected: false }
  const { loader, asked } = pageOf(state)
  await loader.preload()
  state.isConnected = true
  await loader.open()
  expect(loader.open()).toBe(Page)
  expect(asked).toEqual({ imports: 2, failures: [] })
})

it('a page is loaded once for all that wait for it', async () => {
  const { loader, asked } = pageOf({ isConnected: true })
  await Promise.all([loader.preload(), loader.preload(), loader.open()])
  await loader.preload()
  expect(loader.open()).toBe(Page)
  expect(asked.imports).toBe(1)
})
