import type { Service } from './service.ts'

// Operations of all three APIs, as their own documents list them.

export type ListedOperation = {
  readonly id: string
  readonly method: string
  /** Path with `{name}` for each parameter. */
  readonly path: string
  readonly isOpen: boolean
  readonly takesJson: boolean
}

type Described = {
  operationId: string
  security?: readonly object[]
  requestBody?: { content: Record<string, unknown> }
}
type Document = { paths: Record<string, Record<string, Described>> }

export const DOCUMENTS = {
  reseller: '/openapi.json',
  operator: '/operator/v1/openapi.json',
  portal: '/portal/v1/openapi.json',
} as const

export type Api = keyof typeof DOCUMENTS

export async function listOperations(service: Pick<Service, 'get'>, api: Api): Promise<ListedOperation[]> {
  const { paths } = (await service.get(DOCUMENTS[api])).json<Document>()
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security, requestBody }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      isOpen: security?.length === 0,
      takesJson: requestBody !== undefined && 'application/json' in requestBody.content,
    })),
  )
}

/**
 * Lists the operations of all three APIs that read JSON without credentials. A parameter in the path becomes some text.
 */
export async function openOperations(service: Pick<Service, 'get'>): Promise<ListedOperation[]> {
  const lists = await Promise.all(
    (Object.keys(DOCUMENTS) as Api[]).map((api) => listOperations(service, api)),
  )
  return lists
    .flat()
    .filter(({ isOpen, takesJson }) => isOpen && takesJson)
    .map((operation) => ({ ...operation, path: operation.path.replaceAll(/\{[^}]+\}/g, 'x') }))
}
