import type { TSchema } from 'typebox'
import type { JsonSchema, OpenApiParameter, SchemaCollector } from './openapi-schema.ts'

/** Request that the service sends to its callers' receivers. */
export type WebhookDocs = {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tag: string
  readonly headers: Readonly<Record<string, TSchema>>
  readonly query?: Readonly<Record<string, TSchema>>
  readonly body?: TSchema
  readonly examples: Readonly<{ headers: Readonly<Record<string, string>>; query?: object; body?: object }>
}

export type OpenApiWebhook = {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters: readonly OpenApiParameter[]
  readonly requestBody?: {
    readonly required: true
    readonly content: {
      readonly 'application/json': { readonly schema: JsonSchema; readonly example?: unknown }
    }
  }
  readonly responses: Readonly<Record<string, { readonly description: string }>>
}

export type OpenApiWebhooks = Readonly<Record<string, Readonly<Record<string, OpenApiWebhook>>>>

export function webhooksOf(docs: readonly WebhookDocs[], collector: SchemaCollector): OpenApiWebhooks {
  const webhooks: Record<string, Record<string, OpenApiWebhook>> = {}
  for (const each of docs) {
    webhooks[each.name] = { ...webhooks[each.name], [each.method.toLowerCase()]: webhookOf(each, collector) }
  }
  return webhooks
}

const RESPONSES = {
  '2XX': { description: 'Received: it is not sent again' },
  default: { description: 'Not received: it is tried again, at most 3 times' },
} as const

function webhookOf(docs: WebhookDocs, collector: SchemaCollector): OpenApiWebhook {
  const { operationId, summary, description, tag, headers, query = {}, body, examples } = docs
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    parameters: [
      ...sentParameters('header', headers, examples.headers, collector),
      ...sentParameters('query', query, examples.query, collector),
    ],
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: collector.convert(body), example: examples.body } },
      },
    }),
    responses: RESPONSES,
  }
}

function sentParameters(
  place: 'header' | 'query',
  schemas: Readonly<Record<string, TSchema>>,
  examples: object | undefined,
  collector: SchemaCollector,
): OpenApiParameter[] {
  return Object.entries(schemas).map(([name, sent]) => {
    const { description, ...schema } = collector.convert(sent)
    const example = (examples as Record<string, unknown> | undefined)?.[name]
    return {
      name,
      in: place,
      required: example !== undefined,
      ...(description !== undefined && { description }),
      schema,
      ...(example !== undefined && { example }),
    }
  })
}
