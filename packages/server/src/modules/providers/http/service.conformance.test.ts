import type { Outbound } from '../../../outbound/types.ts'
import { connectHttp, openLoopback, simulatorConnection } from '../../../testing/providers/http-connection.ts'
import { describeProviderConformance } from '../../../testing/providers/provider-conformance.ts'
import { CALLBACK_SECRET, openSimulatorBench } from '../../../testing/providers/simulator-bench.ts'

describeProviderConformance('a supplier connected by configuration', async () => {
  const outbound = openLoopback()
  const bench = await openSimulatorBench({
    connect: (url) =>
      connectHttp({
        config: simulatorConnection(url),
        secrets: { callback: CALLBACK_SECRET },
        outbound,
      }),
  })
  return {
    ...bench,
    async close() {
      await bench.close()
      await outbound.close()
    },
  }
})

/**
 * The simulator as a supplier that answers a question with every order whose reference begins like ours. Those of
 * others have failed, and stand around ours.
 */
function answeringWithLists(outbound: Outbound): Outbound {
  return {
    ...outbound,
    async send(request) {
      const reference = /^GET .*\/orders\/(.+)$/.exec(`${request.method} ${request.url}`)?.[1]
      const result = await outbound.send(request)
      if (reference === undefined || result.kind !== 'answered') return result
      const text = result.body.toString()
      if (!text.startsWith('{') || !text.endsWith('}')) return result
      const isFound = result.status === 200
      if (!isFound && !text.includes('not_found')) return result
      const other = { status: 'failed', code: 48, reason: 'not ours' }
      const data = [
        { ref: `${reference}0`, order: other },
        ...(isFound ? [{ ref: reference, order: JSON.parse(text) as unknown }] : []),
        { ref: `9${reference}`, order: other },
      ]
      return { ...result, status: 200, body: Buffer.from(JSON.stringify({ data })) }
    },
  }
}

describeProviderConformance('a supplier connected by configuration that answers with lists', async () => {
  const outbound = openLoopback()
  const bench = await openSimulatorBench({
    connect(url) {
      const { query, ...rest } = simulatorConnection(url)
      const response = JSON.parse(
        JSON.stringify((query as { response: object }).response).replaceAll(
          /"(status|error|code|reason|output\.\w+)"(?=[,\]}])/g,
          '"order.$1"',
        ),
      ) as object
      const list = { at: 'data', where: { ref: '{{reference}}' } }
      return connectHttp({
        config: { ...rest, query: { ...(query as object), response: { ...response, list } } },
        secrets: { callback: CALLBACK_SECRET },
        outbound: answeringWithLists(outbound),
      })
    },
  })
  return {
    ...bench,
    async close() {
      await bench.close()
      await outbound.close()
    },
  }
})

describeProviderConformance(
  'a supplier connected by configuration that cannot be asked',
  async () => {
    const outbound = openLoopback()
    const bench = await openSimulatorBench({
      connect(url) {
        const { submit, void: voids, base_url } = simulatorConnection(url)
        return connectHttp({ config: { base_url, submit, void: voids }, outbound })
      },
    })
    return {
      ...bench,
      async close() {
        await bench.close()
        await outbound.close()
      },
    }
  },
  {
    query: 'its configuration has no query',
    callbacks: 'left out of its configuration',
    bills: 'left out of its configuration',
    options: 'left out of its configuration',
    float: 'left out of its configuration',
    health: 'left out of its configuration',
  },
)
