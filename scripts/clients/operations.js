// Operations of the resellers' document, as the clients in Python and PHP need them.

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Lists the operations that answer with JSON or with nothing. Pictures and pages are for browsers. */
export function listOperations(document) {
  return Object.entries(document.paths)
    .flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) =>
        describe(document, path, method, item[method]),
      ),
    )
    .filter(({ answersJson }) => answersJson)
}

function describe(document, path, method, operation) {
  const { operationId, summary, parameters = [], requestBody, responses, security, deprecated } = operation
  const own = parameters.filter((each) => each.in === 'path' || each.in === 'query')
  const { content } = responses['200'] ?? responses['204'] ?? {}
  return {
    name: operationId,
    summary: deprecated === true ? `${summary}. Deprecated.` : `${summary}.`,
    method: method.toUpperCase(),
    path,
    tag: operation.tags?.[0] ?? 'Other',
    description: operation.description ?? '',
    // Parameters without a default come first, as both languages want it.
    parameters: own
      .map((each) => ({ ...each, kind: kindOf(document, each.schema) }))
      .sort((a, b) => rankOf(a) - rankOf(b)),
    body: requestBody === undefined ? undefined : { isRequired: requestBody.required === true, requestBody },
    isOpen: security?.length === 0,
    answersJson: content === undefined || content['application/json'] !== undefined,
    answersNothing: content === undefined,
    responses,
  }
}

function rankOf({ in: place, required }) {
  if (place === 'path') return 0
  return required === true ? 1 : 2
}

/** Returns the kind of a parameter: text, integer, number, flag or list. */
function kindOf(document, schema) {
  if (schema?.$ref !== undefined) {
    return kindOf(document, document.components.schemas[schema.$ref.split('/').at(-1)])
  }
  const known = { integer: 'integer', number: 'number', boolean: 'flag', array: 'list', string: 'text' }
  const type = schema?.type ?? schema?.anyOf?.[0]?.type ?? schema?.oneOf?.[0]?.type
  return known[type] ?? 'text'
}

/** Spells a name of the document as Python does: `jobId` becomes `job_id`. */
export function snakeCase(name) {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
