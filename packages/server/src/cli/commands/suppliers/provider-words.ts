import { countUnfinished } from '../../../app/unfinished.ts'
import { REFUSAL } from '../../../modules/providers/health/refusals.codec.ts'
import { listRefusals } from '../../../modules/providers/health/refusals.service.ts'
import { dismissAnswer, mapAnswer } from '../../../modules/providers/proofs/acts.ts'
import { UNKNOWN_ANSWER } from '../../../modules/providers/proofs/codec.ts'
import { listUnknownAnswers } from '../../../modules/providers/proofs/reads.ts'
import type { UnknownAnswer } from '../../../modules/providers/proofs/types.ts'
import type { Command, Option, Output } from '../../command.ts'
import { DRY_RUN_OPTION } from '../../consent.ts'
import { actCommand } from '../../kit/acts.ts'
import { formatTable } from '../../text.ts'
import { openConnections } from './providers.ts'

const PROVIDER: Option = { value: 'CODE', help: "the provider's code", required: true, names: 'provider' }
const ID: Option = { value: 'ID', help: 'as provider word list shows it', required: true }

/** Commands about words in suppliers' answers: those by which orders were refused, and those that no table knows. */
export const wordCommands: readonly Command[] = [
  {
    name: 'provider failures',
    summary: 'list why a supplier refused orders in the last seven days, by its own word and our code',
    options: { provider: PROVIDER },
    async run(call) {
      const { database } = await call.runtime()
      const found = await listRefusals(database, call.text('provider'))
      const failures = found.map((each) => REFUSAL.encode(each))
      return { json: { failures }, text: formatTable(failures, 'It refused no order.') }
    },
  },
  {
    name: 'provider word list',
    summary: 'list the words of a supplier that no table of its configuration knows, the latest first',
    options: { provider: PROVIDER },
    async run(call) {
      const { database } = await call.runtime()
      const found = await listUnknownAnswers(database, call.text('provider'))
      const words = found.map((each) => UNKNOWN_ANSWER.encode(each))
      const rows = words.map(({ sample: _, first_at: _first, ...row }) => row)
      return { json: { words }, text: formatTable(rows, 'Every word was understood.') }
    },
  },
  actCommand({
    name: 'provider word map',
    summary: "say what a supplier's word means: from now on the table of its configuration has it",
    details: `succeeded and failed end payments for good: say so only where the supplier's documents do.`,
    act: mapAnswer,
    options: { id: ID, 'dry-run': DRY_RUN_OPTION },
    world: async (_runtime, call) => ({ ...(await openConnections(call)), countUnfinished }),
    show: (answer, call) => shown(answer, `${answer.value} is ${call.text('outcome')} now.`),
  }),
  actCommand({
    name: 'provider word dismiss',
    summary: 'take a word off the list; it comes back when the supplier says it again',
    act: dismissAnswer,
    options: { id: ID },
    world: () => undefined,
    show: (answer) => shown(answer, `${answer.value} is off the list.`),
  }),
]

function shown(answer: UnknownAnswer, text: string): Output {
  return { json: UNKNOWN_ANSWER.encode(answer), text }
}
