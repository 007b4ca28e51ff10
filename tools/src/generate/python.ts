import type { Argument, Described } from './operations.ts'
import { snakeCase } from './operations.ts'

import type { Remedies } from './remedies.ts'

const GENERATED = 'Generated from docs/openapi.json by npm run clients-api. Do not edit.'
const KINDS = { text: 'str', integer: 'int', number: 'float', flag: 'bool', list: 'List[str]' }
/** Words that Python keeps for itself: a parameter of such a name gets a `_`. */
const RESERVED = new Set(['from', 'in', 'is', 'class', 'def', 'for', 'import', 'pass', 'with', 'as', 'not'])

/** Renders the methods of the Python client. */
export function renderPythonOperations(operations: Described[]) {
  return [
    '"""Every operation of the service as a method.',
    '',
    GENERATED,
    '"""',
    '',
    'from typing import Any, Dict, List, Optional',
    '',
    'ROUTES = {',
    ...operations.map(renderRoute),
    '}',
    '',
    '',
    'class Operations:',
    '    """Methods by the names of the operations. Parameters are spelt as in the API reference."""',
    '',
    '    def operation(self, name: str, given: Optional[Dict[str, Any]] = None) -> Any:',
    '        """Calls an operation by its name, with its parameters or its body."""',
    '        raise NotImplementedError',
    ...operations.filter(isPlain).flatMap(renderMethod),
    '',
  ].join('\n')
}

/** Returns false for payments: the client has a method of its own for them. */
function isPlain({ name }: Described) {
  return name !== 'pay'
}

function renderRoute({ name, method, path, body, isOpen }: Described) {
  const flags = `${body === undefined ? 'False' : 'True'}, ${isOpen ? 'True' : 'False'}`
  return `    "${name}": ("${method}", "${path}", ${flags}),`
}

function renderMethod({ name, summary, parameters, body, answersNothing }: Described) {
  const inPath = parameters.filter((each) => each.in === 'path')
  const inQuery = parameters.filter((each) => each.in === 'query')
  const list = [
    'self',
    ...inPath.map((each) => `${argumentOf(each.name)}: ${KINDS[each.kind]}`),
    ...(body === undefined
      ? []
      : [body.isRequired ? 'body: Dict[str, Any]' : 'body: Optional[Dict[str, Any]] = None']),
    ...(inQuery.length === 0 ? [] : ['*', ...inQuery.map(renderParameter)]),
  ]
  const answer = answersNothing ? 'None' : 'Dict[str, Any]'
  const oneLine = `    def ${snakeCase(name)}(${list.join(', ')}) -> ${answer}:`
  const head =
    oneLine.length <= 100
      ? [oneLine]
      : [`    def ${snakeCase(name)}(`, ...list.map((each) => `        ${each},`), `    ) -> ${answer}:`]
  return [
    '',
    ...head,
    `        """${summary}"""`,
    `        return self.operation("${name}"${renderInput(parameters, body)})`,
  ]
}

function renderParameter({ name, required, kind }: Argument) {
  return required === true
    ? `${argumentOf(name)}: ${KINDS[kind]}`
    : `${argumentOf(name)}: Optional[${KINDS[kind]}] = None`
}

function renderInput(parameters: Argument[], body: Described['body']) {
  if (parameters.length === 0) return body === undefined ? '' : ', body'
  const members = parameters.map(({ name }) => `"${name}": ${argumentOf(name)}`)
  const spread = body === undefined ? [] : ['**(body or {})']
  const oneLine = `, {${[...members, ...spread].join(', ')}}`
  if (oneLine.length <= 60) return oneLine
  return `, {\n${[...members, ...spread].map((each) => `            ${each},`).join('\n')}\n        }`
}

function argumentOf(name: string) {
  const spelt = snakeCase(name)
  return RESERVED.has(spelt) ? `${spelt}_` : spelt
}

export function renderPythonRemedies(remedies: Remedies) {
  return [
    '"""Advice by token: the error of a 401 or 403, or the remarks of a payment.',
    '',
    'Generated from the tables of the service by npm run clients-api. Do not edit.',
    '"""',
    '',
    'REMEDIES = {',
    ...remedies.map(([token, remedy]) => `    ${JSON.stringify(token)}: ${JSON.stringify(remedy)},`),
    '}',
    '',
  ].join('\n')
}
