import type { Rule } from '../lib/input/fields.ts'
import { describeRule, fromText, readFields } from '../lib/input/fields.ts'
import { SHORT_REASON, shortReason } from '../lib/input/records.ts'
import type { Call, Option } from './command.ts'

// Options and rules that the catalog commands share.

export const REASON_OPTION: Option = {
  value: 'TEXT',
  help: `why, for the record; ${describeRule(SHORT_REASON)}`,
}

export const PRODUCT_OPTION: Option = {
  value: 'CODE',
  help: 'the code of a product',
  required: true,
  names: 'product',
}

export function readReason(call: Call, usual: string): string {
  const reason = call.find('reason') ?? shortReason(usual)
  return readFields({ reason: SHORT_REASON }, { reason }).reason
}

export function readOne<T>(name: string, rule: Rule<T>, value: string): T {
  const read = readFields<Record<string, Rule<unknown>>>({ [name]: fromText(rule) }, { [name]: value })
  return read[name] as T
}
