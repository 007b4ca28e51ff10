import { urlOf } from '../links.ts'
import type { ErrorRow } from '../tables.ts'
import { markdownTable } from '../tables.ts'
import type { ApiDocument, Content, Described, JsonSchema, Located, Parameter } from './document.ts'
import { isOpen, sdkSample, shellSample } from './samples.ts'
import type { FieldRow } from './schema.ts'
import { listFields, rulesOf, typeOf } from './schema.ts'

/** One API of the service, as the reference shows it. */
export type ReferenceApi = {
  /** First part of its pages' paths: `reference`. */
  readonly section: string
  readonly title: string
  readonly document: ApiDocument
  /** True for the resellers' API: requests are signed, and pages have samples. */
  readonly isSigned: boolean
}

export type OperationContext = {
  readonly api: ReferenceApi
  /** Pages of the same API by path and operation id. */
  readonly pageOf: (path: string) => string | undefined
  readonly errors: readonly ErrorRow[]
}

/** Writes the page of an operation as Markdown. */
export function operationMarkdown(located: Located, context: OperationContext): string {
  const { operation, method, path, isWebhook } = located
  const { document, isSigned } = context.api
  const parts = [
    `# ${operation.summary}`,
    isWebhook ? `Sent by the service to your receiver, by ${method}.` : `\`${method} ${path}\``,
    ...(operation.deprecated === true ? [deprecationOf(operation, context)] : []),
    operation.description ?? '',
    ...(isOpen(operation) ? ['Anyone may call this: no signature, no token.'] : []),
    ...requestParts(located, document),
    ...(isSigned && !isWebhook ? sampleParts(located) : []),
    ...answerParts(located, document),
    ...(isWebhook ? [] : errorParts(located, context)),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function deprecationOf(operation: Described, { pageOf }: OperationContext): string {
  const successor = operation['x-successor'] ?? ''
  const page = pageOf(successor)
  const target = page === undefined ? successor : urlOf(page)
  const text = successor.startsWith('/docs') ? 'sign their requests' : `use \`${successor}\``
  return `> **Deprecated.** Still served; new integrations [${text}](${target}).`
}

function requestParts({ operation, isWebhook }: Located, { components }: ApiDocument): string[] {
  const { parameters = [], requestBody } = operation
  const parts: string[] = []
  if (parameters.length > 0) {
    parts.push(isWebhook ? '## Headers and query' : '## Parameters')
    parts.push(
      markdownTable(
        ['Name', 'In', 'Type', 'Meaning'],
        parameters.map((parameter) => parameterCells(parameter, components.schemas)),
      ),
    )
  }
  const content = requestBody?.content
  if (content === undefined) return parts
  const types = Object.keys(content)
    .map((type) => `\`${type}\``)
    .join(' or ')
  const optional = requestBody?.required === false ? ', may be left out' : ''
  parts.push(
    isWebhook ? '## Body' : '## Request body',
    `${types}${optional}. ${requestBody?.description ?? ''}`.trim(),
    fieldTable(schemaOf(content), components.schemas, true),
    exampleOf(content),
  )
  return parts
}

function sampleParts(located: Located): string[] {
  const intro = isOpen(located.operation)
    ? ''
    : 'With `signed.sh` of [the guide to signing](/docs/signing#shell), and with [the TypeScript SDK](/docs/sdks):'
  const sdk = isOpen(located.operation) ? undefined : sdkSample(located)
  return [
    '## Request it',
    intro,
    `\`\`\`sh\n${shellSample(located)}\n\`\`\``,
    sdk === undefined ? '' : `\`\`\`ts\n${sdk}\n\`\`\``,
  ]
}

function answerParts({ operation, isWebhook }: Located, { components }: ApiDocument): string[] {
  if (isWebhook) {
    const rows = Object.entries(operation.responses).map(([status, { description }]) => [
      `\`${status}\``,
      description,
    ])
    return ['## Your answer', markdownTable(['Status', 'Effect'], rows)]
  }
  const parts = ['## Answers']
  for (const [status, { description, content }] of Object.entries(operation.responses)) {
    if (status === 'default' || (Number(status) >= 400 && isShared(content))) continue
    parts.push(`### ${status}`, sentence(description))
    const [type = ''] = Object.keys(content ?? {})
    if (content === undefined) parts.push('No body.')
    else if (type !== 'application/json') parts.push(`A body of type \`${type}\`.`)
    else parts.push(fieldTable(schemaOf(content), components.schemas, false), exampleOf(content))
  }
  return parts
}

/** Schemas of errors that many operations share; the page of errors shows their shapes. */
const SHARED = /\/(Problem|Unauthorized|Forbidden)$/

function isShared(content: Content | undefined): boolean {
  return SHARED.test(schemaOf(content)?.$ref ?? '')
}

function errorParts({ operation, path }: Located, { errors, api }: OperationContext): string[] {
  const rows = Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, { description }]) => {
      const guide = errors.find((row) => row.kind === 'http' && row.http_status === Number(status))
      const refusal =
        status === '401' || status === '403'
          ? 'See `error`: [the codes](/docs/errors#authentication) have their remedies.'
          : (guide?.remedy ?? '')
      return [`\`${status}\``, sentence(description), refusal]
    })
  if (rows.length === 0) return []
  const parts = ['## Errors', markdownTable(['Status', 'When', 'What to do'], rows)]
  if (path === '/v2/topup' && api.isSigned) {
    parts.push("[A payment's life](/docs/payments) lists every code and remark of a payment.")
  }
  return parts
}

function schemaOf(content: Content | undefined): JsonSchema | undefined {
  return Object.values(content ?? {})[0]?.schema
}

function parameterCells(parameter: Parameter, schemas: ApiDocument['components']['schemas']): string[] {
  const { name, description = '', schema, required } = parameter
  return [
    `\`${name}\``,
    parameter.in,
    typeOf(schema, schemas) + (required === true ? ', required' : ''),
    withRules(description, rulesOf(schema)),
  ]
}

function fieldTable(
  schema: JsonSchema | undefined,
  schemas: ApiDocument['components']['schemas'],
  isRequest: boolean,
): string {
  if (schema === undefined) return ''
  const fields = listFields(schema, schemas)
  if (fields.length === 0) return sentence(typeOf(schema, schemas))
  // Answers always carry their fields, so optional ones are marked; requests mark required ones.
  const mark = ({ required }: FieldRow) =>
    isRequest ? (required ? ', required' : '') : required ? '' : ', optional'
  return markdownTable(
    ['Field', 'Type', 'Meaning'],
    fields.map((field) => [
      `\`${field.path}\``,
      field.type + mark(field),
      withRules(field.description ?? '', field.rules),
    ]),
  )
}

function withRules(description: string, rules: readonly string[]): string {
  const text = rules.length === 0 ? '' : sentence(rules.join('; '))
  return [description === '' ? '' : sentence(description), text].filter((each) => each !== '').join(' ')
}

/** Writes a text as a sentence. A format, a value or a name at its beginning (`yyyyMMdd`, `null`) stays as it is. */
function sentence(text: string): string {
  const trimmed = text.trim()
  const capital = PLAIN_WORD.test(trimmed) ? trimmed.charAt(0).toUpperCase() + trimmed.slice(1) : trimmed
  return /[.!?:]$/.test(capital) || capital === '' ? capital : `${capital}.`
}

const PLAIN_WORD = /^(?!(?:null|true|false|yyyy)\b)[a-z]+(?=$|[\s,.;])/

function exampleOf(content: Content | undefined): string {
  const media = content?.['application/json']
  if (media === undefined || !('example' in media)) return ''
  return `\`\`\`json\n${JSON.stringify(media.example, null, 2)}\n\`\`\``
}
