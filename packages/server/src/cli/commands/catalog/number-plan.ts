import { readFile, stat } from 'node:fs/promises'
import { setNumberPlans } from '../../../modules/numbers/acts.ts'
import { PLAN_VIEW } from '../../../modules/numbers/plans.codec.ts'
import { listPlans } from '../../../modules/numbers/plans.service.ts'
import type { PlanInForce } from '../../../modules/numbers/types.ts'
import type { Call, Command, Output } from '../../command.ts'
import { DRY_RUN_OPTION } from '../../consent.ts'
import { actCommand } from '../../kit/acts.ts'
import { formatTable } from '../../text.ts'

const FILE_BYTES_MAX = 16 * 1024 * 1024

export const numberPlanCommands: readonly Command[] = [
  actCommand({
    name: 'number-plan import',
    summary: 'replace the plans of prefixes of countries',
    details: `The file is what \`number-plan export\` prints. Countries that are not in it keep their plans; one with an empty
list of ranges has the plan again that the service knows by itself.`,
    act: setNumberPlans,
    without: ['plans'],
    places: [{ name: 'file', value: 'FILE', help: 'a JSON file' }],
    options: {
      file: { value: 'FILE', help: 'a JSON file', required: true },
      reason: { value: 'TEXT', help: 'why, for the log' },
      'dry-run': DRY_RUN_OPTION,
    },
    input: async (call) => ({ plans: await readPlans(call) }),
    world: () => undefined,
    show,
  }),
  {
    name: 'number-plan export',
    summary: 'print the plans of prefixes as a file',
    options: { country: { value: 'COUNTRY', help: 'only this country, by ISO 3166' } },
    async run(call) {
      const plans = await plansIn(call)
      const json = { plans: plans.map((each) => withoutOrigin(PLAN_VIEW.encode(each))) }
      return { json, text: JSON.stringify(json, null, 2) }
    },
  },
  {
    name: 'number-plan show',
    summary: 'list the operators of each country with their prefixes',
    options: { country: { value: 'COUNTRY', help: 'only this country, by ISO 3166' } },
    run: async (call) => show(await plansIn(call)),
  },
]

async function plansIn(call: Call): Promise<PlanInForce[]> {
  const { database } = await call.runtime()
  const country = call.find('country')
  return (await listPlans(database)).filter(({ plan }) => country === undefined || plan.country === country)
}

function withoutOrigin({ is_own: _, ...plan }: ReturnType<typeof PLAN_VIEW.encode>) {
  return plan
}

async function readPlans(call: Call): Promise<unknown> {
  const path = call.text('file')
  try {
    const { size } = await stat(path)
    if (size > FILE_BYTES_MAX) throw new Error(`is larger than ${FILE_BYTES_MAX / 1024 / 1024} MB`)
    const found: unknown = JSON.parse(await readFile(path, 'utf8'))
    return (found as { readonly plans?: unknown } | null)?.plans
  } catch (error) {
    throw new Error(`${path} cannot be read`, { cause: error })
  }
}

function show(plans: readonly PlanInForce[]): Output {
  const rows = plans.flatMap(({ plan: { country, asOf, operators, ranges }, isOwn }) =>
    operators.map(({ code, name, products }) => ({
      country,
      as_of: asOf,
      is_own: isOwn,
      operator: code,
      name,
      prefixes: ranges.flatMap(({ operator, prefix }) => (operator === code ? [prefix] : [])).join(' '),
      products: products.join(' '),
    })),
  )
  return { json: { plans: rows }, text: formatTable(rows, 'No plan names an operator.') }
}
