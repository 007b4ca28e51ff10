import { withDeadline } from '../../../outbound/deadline.ts'
import { withPlainNumbers } from '../language/numbers.rules.ts'
import { textAt, valueAt } from '../language/paths.rules.ts'
import { isObject } from '../language/reading.rules.ts'
import type { BillResponse, OperationRequest, OptionsResponse, Values } from '../language/types.ts'
import type {
  BillAnswer,
  DynamicOption,
  DynamicOptionsAnswer,
  FloatAnswer,
  LookupAnswer,
  Provider,
  VoidAnswer,
} from '../port/types.ts'
import type { Ask, Question } from './client.service.ts'
import { questionAbout } from './client.service.ts'
import type { HttpConfig } from './config.rules.ts'
import { partOf } from './lists.rules.ts'
import { judgeQuestion, messageAt, optionOf } from './mapping.rules.ts'
import { currencyAt, moneyAt } from './money.rules.ts'
import { unknownOf } from './outcome.rules.ts'
import type { Hidden } from './redaction.rules.ts'
import { redact } from './redaction.rules.ts'
import { billValues, lookupValues, optionsValues } from './values.rules.ts'

// Capabilities of a supplier beside taking orders. Each exists when it is configured.

export function createCapabilities(
  config: HttpConfig,
  ask: Ask,
  hidden: Hidden,
): Pick<Provider, 'voids' | 'bills' | 'options' | 'lookups' | 'float' | 'health'> {
  const askInTime: Ask = (question, signal) =>
    withDeadline(config.queryMs, signal, (end) => ask(question, end))
  const parts = { config, ask: askInTime, hidden }
  return {
    ...voids(parts),
    ...bills(parts),
    ...options(parts),
    ...lookups(parts),
    ...float(parts),
    ...health(parts),
  }
}

type Parts = { config: HttpConfig; ask: Ask; hidden: Hidden }

function unnamed(request: OperationRequest, values: Values): Question {
  return { request, values, isNamed: false }
}

function voids({ config, ask, hidden }: Parts): Pick<Provider, 'voids'> {
  const { void: operation } = config
  if (operation === null) return {}
  return {
    voids: {
      async requestVoid(order, signal): Promise<VoidAnswer> {
        const question = questionAbout(order, config, operation)
        const asked = await ask(question, signal)
        if (asked.kind !== 'answered') return { kind: 'unknown', reason: asked.reason }
        const judged = judgeQuestion(operation.response, asked, question.values)
        const secrets = [...hidden(), ...asked.made, ...(order.icNumber === null ? [] : [order.icNumber])]
        if (judged.kind === 'undecided')
          return redact(unknownOf(judged, 'void', {}, [...secrets, order.account]), secrets)
        const { outcome, reason } = judged.verdict
        if (outcome !== 'refused') return { kind: outcome }
        const words = reason ?? messageAt(judged.json, operation.response.reason)
        return redact({ kind: outcome, reason: words ?? 'The provider refused' }, secrets)
      },
    },
  }
}

function bills({ config, ask, hidden }: Parts): Pick<Provider, 'bills'> {
  const { bill: operation } = config
  if (operation === null) return {}
  return {
    bills: {
      async presentBill(request, signal): Promise<BillAnswer> {
        const values = billValues(request, config)
        const asked = await ask(unnamed(operation.request, values), signal)
        if (asked.kind !== 'answered') return unavailable(asked.reason)
        const judged = judgeQuestion(operation.response, asked, values)
        if (judged.kind === 'undecided')
          return redact(unavailable(judged.reason), [...hidden(), ...asked.made])
        const { outcome, reason } = judged.verdict
        if (outcome === 'invalid_account') return { kind: outcome }
        if (outcome === 'unavailable') return unavailable(reason ?? 'the supplier has no bill to show')
        return billIn(judged.json, operation.response)
      },
    },
  }
}

function unavailable(reason: string): { kind: 'unavailable'; reason: string } {
  return { kind: 'unavailable', reason }
}

function billIn(json: unknown, { bill }: BillResponse): BillAnswer {
  if ('whole' in bill) {
    const whole = withPlainNumbers(valueAt(json, bill.whole))
    return isObject(whole) ? { kind: 'found', bill: whole } : unavailable('the answer holds no bill')
  }
  const fields = bill.fields.flatMap(([name, path]) => {
    const value = withPlainNumbers(valueAt(json, path))
    return value === undefined ? [] : [[name, value] as const]
  })
  return { kind: 'found', bill: Object.fromEntries(fields) }
}

const OPTIONS_MAX = 500

function options({ config, ask, hidden }: Parts): Pick<Provider, 'options'> {
  const { options: operation } = config
  if (operation === null) return {}
  return {
    options: {
      async listOptions(request, signal): Promise<DynamicOptionsAnswer> {
        const asked = await ask(unnamed(operation.request, optionsValues(request, config)), signal)
        if (asked.kind !== 'answered') return unavailable(asked.reason)
        const judged = judgeQuestion(operation.response, asked, {})
        const secrets = [...hidden(), ...asked.made, request.accountNumber]
        if (judged.kind === 'undecided') return redact(unavailable(judged.reason), secrets)
        const { outcome, reason } = judged.verdict
        if (outcome === 'unavailable') return unavailable(reason ?? 'the supplier has no options now')
        return optionsIn(asked.json, operation.response)
      },
    },
  }
}

function optionsIn(json: unknown, { options, option }: OptionsResponse): DynamicOptionsAnswer {
  const items = valueAt(json, options)
  if (!Array.isArray(items) || items.length > OPTIONS_MAX)
    return unavailable('the answer holds no list of options')
  const read: DynamicOption[] = items.flatMap((item) => optionOf(item, option) ?? [])
  return read.length === items.length
    ? { kind: 'found', options: read }
    : unavailable('an option in the answer cannot be read')
}

function lookups({ config, ask, hidden }: Parts): Pick<Provider, 'lookups'> {
  const { lookup: operation } = config
  if (operation === null) return {}
  return {
    lookups: {
      async lookUp(request, signal): Promise<LookupAnswer> {
        const values = lookupValues(request)
        const asked = await ask(unnamed(operation.request, values), signal)
        if (asked.kind !== 'answered') return unavailable(asked.reason)
        const judged = judgeQuestion(operation.response, asked, values)
        const secrets = [...hidden(), ...asked.made, request.number]
        if (judged.kind === 'undecided') return redact(unavailable(judged.reason), secrets)
        const { outcome, reason } = judged.verdict
        if (outcome === 'unavailable') return unavailable(reason ?? 'the supplier does not know the number')
        const operator = textAt(judged.json, operation.response.operator)
        return operator === undefined || operator.length > OPERATOR_LENGTH_MAX
          ? unavailable('the answer names no operator')
          : { kind: 'found', operator }
      },
    },
  }
}

const OPERATOR_LENGTH_MAX = 200

const RINGGIT = 'MYR'

function float({ config, ask }: Parts): Pick<Provider, 'float'> {
  const { float: operation } = config
  if (operation === null) return {}
  return {
    float: {
      async readFloat(signal): Promise<FloatAnswer> {
        const asked = await ask(unnamed(operation.request, {}), signal)
        if (asked.kind !== 'answered') return { kind: 'unknown', reason: asked.reason }
        if (asked.status !== 200) return { kind: 'unknown', reason: `the supplier answered ${asked.status}` }
        const { list, amount: path, currency: source } = operation.response
        const part = partOf(list, asked.json, {})
        const amount = 'json' in part ? moneyAt(part.json, path, 'down') : undefined
        if (amount === undefined) return { kind: 'unknown', reason: 'the answer holds no amount' }
        const currency = 'json' in part ? currencyAt(part.json, source, config.currency) : undefined
        if (currency === undefined) return { kind: 'unknown', reason: 'the answer holds no currency' }
        return { kind: 'known', amount, ...(currency !== RINGGIT && { currency }) }
      },
    },
  }
}

function health({ config, ask }: Parts): Pick<Provider, 'health'> {
  const { health: operation } = config
  if (operation === null) return {}
  return {
    health: {
      async isHealthy(signal) {
        const asked = await ask(unnamed(operation, {}), signal)
        return asked.kind === 'answered' && asked.status >= 200 && asked.status < 300
      },
    },
  }
}
