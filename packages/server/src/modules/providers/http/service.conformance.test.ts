import { connectHttp, openLoopback, simulatorConnection } from '../../../testing/http-connection.ts'
import { describeProviderConformance } from '../../../testing/provider-conformance.ts'
import { CALLBACK_SECRET, openSimulatorBench } from '../../../testing/simulator-bench.ts'

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
