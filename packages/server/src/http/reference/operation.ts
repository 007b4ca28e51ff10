import type { OpenApiContent, OpenApiDocument, OpenApiOperation } from '../openapi/openapi.ts'
import type { JsonSchema, OpenApiParameter } from '../openapi/openapi-schema.ts'
import type { Html } from './html.ts'
import { breakable, codeBlock, html, inline, prose, table } from './html.ts'
import type { FieldRow } from './schema.ts'
import { exampleOf, listFields, referenceName, rulesOf, typeOf } from './schema.ts'

type Schemas = OpenApiDocument['components']['schemas']

/** Operation with its method and path. */
export type LocatedOperation = {
  readonly method: string
  readonly path: string
  readonly operation: OpenApiOperation
}

export function listOperations(document: OpenApiDocument): LocatedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

export function anchorOf(operation: OpenApiOperation): string {
  return `op-${operation.operationId}`
}

export function schemaAnchorOf(name: string): string {
  return `schema-${name}`
}

export function methodBadge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`
}

export function renderOperation(placed: LocatedOperation, document: OpenApiDocument): Html {
  const { operation, method, path } = placed
  const { schemas } = document.components
  const anchor = anchorOf(operation)
  return html`<article class="operation" aria-labelledby="${anchor}">
<h3 id="${anchor}"><a href="#${anchor}">${operation.summary}</a>${
    operation.deprecated === true && html` <span class="badge">deprecated</span>`
  }</h3>
<p class="endpoint">${methodBadge(method)} <code>${breakable(path)}</code></p>
${operation.deprecated === true && deprecation(operation, document)}${prose(operation.description)}
${operation.security !== undefined && html`<p class="note">Anyone may call this: no signature, no token.</p>\n`}
${renderParameters(operation.parameters ?? [], schemas)}
${renderRequestBody(operation, schemas)}
${renderResponses(operation, schemas)}
</article>
`
}

function deprecation(operation: OpenApiOperation, document: OpenApiDocument): Html {
  const successor = operation['x-successor'] ?? ''
  const instead = successor.startsWith('/reference')
    ? html`<a href="#signing">sign their requests</a>`
    : html`use ${linkTo(successor, document)} instead`
  return html`<p class="warning"><strong>Deprecated.</strong> Still served, but new integrations ${instead}.</p>\n`
}

function linkTo(path: string, document: OpenApiDocument): Html {
  const placed = listOperations(document).find((each) => each.path === path)
  const target = placed === undefined ? path : `#${anchorOf(placed.operation)}`
  return html`<a href="${target}"><code>${path}</code></a>`
}

function renderParameters(parameters: readonly OpenApiParameter[], schemas: Schemas): Html | undefined {
  if (parameters.length === 0) return undefined
  const rows = parameters.map((parameter) =>
    fieldCells(
      {
        path: parameter.name,
        type: `${typeOf(parameter.schema, schemas)}, in the ${parameter.in}`,
        required: parameter.required,
        description: parameter.description,
        rules: rulesOf(parameter.schema),
      },
      true,
    ),
  )
  return html`<h4>Parameters</h4>\n${table({ label: 'Parameters', columns: ['Name', 'Meaning'], rows })}`
}

function renderRequestBody(operation: OpenApiOperation, schemas: Schemas): Html | undefined {
  const { requestBody } = operation
  if (requestBody === undefined) return undefined
  const [schema] = Object.values(requestBody.content).map((content) => content.schema)
  if (schema === undefined) return undefined
  const types = Object.keys(requestBody.content).map(
    (type, index) => html`${index > 0 && ' or '}<code>${type}</code>`,
  )
  return html`<h4>Request body</h4>
<p>${types}${!requestBody.required && ', may be left out'}. ${requestBody.description}</p>
${renderFields('Request body', schema, schemas, true)}
${renderExample(`Example of the body of ${operation.operationId}`, schema, schemas)}
`
}

function renderResponses(operation: OpenApiOperation, schemas: Schemas): Html {
  const answers: Html[] = []
  const troubles: [Html, Html][] = []
  for (const [status, response] of Object.entries(operation.responses)) {
    if (status === 'default') continue
    const schema = schemaOf(response.content)
    const shared = schema && referenceName(schema)
    if (Number(status) >= 400 && shared !== undefined) {
      const link = html`<a href="#${schemaAnchorOf(shared)}">${shared}</a>`
      troubles.push([html`${status}`, html`${inline(response.description)} (${link})`])
    } else {
      answers.push(renderAnswer(operation, status, schemas))
    }
  }
  return html`<h4>Responses</h4>
${answers}${troubles.length > 0 && table({ label: 'Error responses', columns: ['Status', 'When'], rows: troubles, byStatus: true })}`
}

function renderAnswer(operation: OpenApiOperation, status: string, schemas: Schemas): Html {
  const response = operation.responses[status]
  const schema = schemaOf(response?.content)
  const [type] = Object.keys(response?.content ?? {})
  const isJson = type === 'application/json'
  return html`<details open><summary><strong>${status}</strong> ${inline(response?.description ?? '')}</summary>
${schema === undefined && html`<p>No body.</p>`}${type !== undefined && !isJson && html`<p>A body of type <code>${type}</code>.</p>`}${
  schema !== undefined && isJson && renderFields(`Fields of the answer ${status}`, schema, schemas, false)
}${
  schema !== undefined &&
  isJson &&
  renderExample(`Example of the answer ${status} of ${operation.operationId}`, schema, schemas)
}</details>
`
}

function schemaOf(content: OpenApiContent | undefined): JsonSchema | undefined {
  return Object.values(content ?? {})[0]?.schema
}

export function renderSharedSchema(name: string, schemas: Schemas): Html {
  const schema = schemas[name] ?? {}
  const anchor = schemaAnchorOf(name)
  return html`<article aria-labelledby="${anchor}">
<h3 id="${anchor}"><a href="#${anchor}">${name}</a></h3>
${renderFields(`Fields of ${name}`, schema, schemas, false)}
${renderExample(`Example of ${name}`, schema, schemas)}
</article>
`
}

/**
 * Renders a table of fields. Answers always carry their fields, so optional ones are marked; requests mark required
 * ones.
 */
function renderFields(label: string, schema: JsonSchema, schemas: Schemas, isRequest: boolean): Html {
  const fields = listFields(schema, schemas)
  if (fields.length === 0) return html`<p>${capitalize(typeOf(schema, schemas))}.</p>\n`
  return table({
    label,
    columns: ['Field', 'Meaning'],
    rows: fields.map((field) => fieldCells(field, isRequest)),
  })
}

function fieldCells(field: FieldRow, isRequest: boolean): [Html, Html] {
  const mark = isRequest
    ? field.required && html` <span class="mark">required</span>`
    : !field.required && html` <span class="type">optional</span>`
  const rules =
    field.rules.length > 0 && html`<p class="rules">${inline(capitalize(field.rules.join('; ')))}.</p>`
  const at = field.path.lastIndexOf('.') + 1
  return [
    html`<code><span class="parent">${breakable(field.path.slice(0, at))}</span>${breakable(field.path.slice(at))}</code>
<span class="type">${field.type}</span>${mark}`,
    html`${prose(field.description)}${rules}`,
  ]
}

function renderExample(label: string, schema: JsonSchema, schemas: Schemas): Html {
  const text = JSON.stringify(exampleOf(schema, schemas), null, 2)
  return html`<details class="example"><summary>Example</summary>
${codeBlock(label, text)}</details>
`
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
