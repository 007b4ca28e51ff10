import type { Document, Parameter, Routed, Schema } from './document.ts'
import { answersJson, contentOf, operationsOf, schemaName } from './document.ts'

export type Kind = 'text' | 'integer' | 'number' | 'flag' | 'list'

export type Argument = Parameter & { kind: Kind }

/** Operation of the resellers' document, as the clients in Python and PHP need it. */
export type Described = {
  name: string
  summary: string
  method: string
  path: string
  parameters: Argument[]
  body: { isRequired: boolean } | undefined
  isOpen: boolean
  answersNothing: boolean
}

/** Lists the operations that answer with JSON or with nothing. */
export function listOperations(document: Document): Described[] {
  return operationsOf(document)
    .filter(answersJson)
    .map((operation) => describe(document, operation))
}

function describe(document: Document, operation: Routed): Described {
  const { operationId, summary, method, path, parameters = [], requestBody, security, deprecated } = operation
  const own = parameters.filter((each) => each.in === 'path' || each.in === 'query')
  return {
    name: operationId,
    summary: deprecated === true ? `${summary}. Deprecated.` : `${summary}.`,
    method: method.toUpperCase(),
    path,
    // Parameters without a default come first, as both languages want it.
    parameters: own
      .map((each) => ({ ...each, kind: kindOf(document, each.schema) }))
      .sort((a, b) => rankOf(a) - rankOf(b)),
    body: requestBody === undefined ? undefined : { isRequired: requestBody.required === true },
    isOpen: security?.length === 0,
    answersNothing: contentOf(operation.responses) === undefined,
  }
}

function rankOf({ in: place, required }: Parameter) {
  if (place === 'path') return 0
  return required === true ? 1 : 2
}

const KINDS: Record<string, Kind> = {
  integer: 'integer',
  number: 'number',
  boolean: 'flag',
  array: 'list',
}

function kindOf(document: Document, schema: Schema | undefined): Kind {
  if (schema?.$ref !== undefined) {
    return kindOf(document, document.components.schemas?.[schemaName(schema.$ref)])
  }
  const type = schema?.type ?? schema?.anyOf?.[0]?.type ?? schema?.oneOf?.[0]?.type
  return KINDS[String(type)] ?? 'text'
}

/** Spells a name of the document as Python does: `jobId` becomes `job_id`. */
export function snakeCase(name: string) {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
