/** Parts of an OpenAPI document that the generators read. */
export type Document = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas?: Record<string, Schema> }
  webhooks?: Record<string, { post: Operation }>
}

export type Operation = {
  operationId: string
  summary?: string
  deprecated?: boolean
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
  security?: unknown[]
}

export type Parameter = {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

export type Content = Record<string, { schema?: Schema; example?: unknown }>

export type Schema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  description?: string
  maxLength?: number
  minimum?: number
  maximum?: number
}

/** Operation with its path and its method, such as `get`. */
export type Routed = Operation & { path: string; method: string }

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Lists the operations of a document, each with its path and method. */
export function operationsOf({ paths }: Document): Routed[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ path, method, ...operation }]
    }),
  )
}

/** Tells that an operation answers with JSON or with nothing. Pictures and pages are for browsers. */
export function answersJson({ responses }: Operation) {
  const content = contentOf(responses)
  return content === undefined || content['application/json'] !== undefined
}

/** Returns the content of the answer, undefined when there is none. */
export function contentOf(responses: Operation['responses']) {
  return (responses['200'] ?? responses['204'])?.content
}

/** Returns the name of the schema that a reference leads to. */
export function schemaName(reference: string) {
  return reference.slice(reference.lastIndexOf('/') + 1)
}
