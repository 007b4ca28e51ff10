import { listRoutes } from '../../../modules/providers/connections/routing.service.ts'
import type { Trial } from '../../../modules/providers/trial.service.ts'
import { tryProvider } from '../../../modules/providers/trial.service.ts'
import type { Command, Output } from '../../command.ts'
import { formatTable } from '../../text.ts'
import { openConnections } from './providers.ts'

export const providerTestCommand: Command = {
  name: 'provider test',
  summary: 'ask a provider for its health, our money there and an order that does not exist; buys nothing',
  details:
    'Prints each answer of the provider and its time, from this machine and with the settings of this command.\n' +
    'Exit code: 0 every answer was right, 1 one was not, or the provider offers no questions.',
  options: {
    code: { value: 'CODE', help: "the provider's code", required: true, names: 'provider' },
    product: {
      value: 'CODE',
      help: 'the product in the question about an order (default: one that is routed there)',
      names: 'product',
    },
  },
  async run(call) {
    const connections = await openConnections(call)
    const code = call.text('code')
    const [routed] = await listRoutes(connections.database, { provider: code })
    const product = call.find('product') ?? routed?.productCode ?? 'TEST'
    return show(code, await tryProvider(connections, code, product))
  },
}

function show(provider: string, trials: readonly Trial[]): Output {
  const views = trials.map(({ question, isOk, answer, tookMs }) => ({
    question,
    result: isOk ? 'ok' : 'fail',
    took_ms: tookMs,
    answer,
  }))
  return {
    json: { provider, answers: views },
    text: formatTable(views, `Provider ${provider} offers nothing that can be asked.`),
    code: trials.length > 0 && trials.every(({ isOk }) => isOk) ? 0 : 1,
  }
}
