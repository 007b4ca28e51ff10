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
