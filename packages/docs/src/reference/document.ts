/** Parts of an OpenAPI document that the reference reads. */
export type JsonSchema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema | boolean
  readonly prefixItems?: readonly JsonSchema[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly default?: unknown
}

export type Schemas = Readonly<Record<string, JsonSchema>>

export type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: JsonSchema
  readonly example?: unknown
}

export type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>

export type Described = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly deprecated?: boolean
  readonly 'x-successor'?: string
  readonly security?: readonly unknown[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly description?: string
    readonly required?: boolean
    readonly content: Content
  }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

export type ApiDocument = {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Schemas }
}

/** Operation, or message to a receiver, with its method and path. */
export type Located = {
  readonly method: string
  readonly path: string
  readonly operation: Described
  readonly isWebhook: boolean
}

export function listOperations({ paths, webhooks = {} }: ApiDocument): Located[] {
  const located = (from: ApiDocument['paths'], isWebhook: boolean) =>
    Object.entries(from).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
        isWebhook,
      })),
    )
  return [...located(paths, false), ...located(webhooks, true)]
}
