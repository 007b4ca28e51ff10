import { describeProviderConformance } from '../../../testing/providers/provider-conformance.ts'
import { CALLBACK_SECRET, openSimulatorBench } from '../../../testing/providers/simulator-bench.ts'
import { createRemoteSimulator } from './client.service.ts'

describeProviderConformance('the simulator over HTTP', () =>
  openSimulatorBench({
    connect: (url) =>
      createRemoteSimulator({ url, fulfilment: () => 'pin', callbackSecret: CALLBACK_SECRET }),
  }),
)
