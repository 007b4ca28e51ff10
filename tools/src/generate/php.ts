import type { Argument, Described } from './operations.ts'
import type { Remedies } from './remedies.ts'

const GENERATED = 'Generated from docs/openapi.json by npm run clients-api. Do not edit.'
const KINDS = { text: 'string', integer: 'int', number: 'int|float', flag: 'bool', list: 'array' }

/** Renders the methods of the PHP client. */
export function renderPhpOperations(operations: Described[]) {
  return [
    ...head(),
    '/**',
    ` * Every operation of the service as a method. ${GENERATED}`,
    ' *',
    ' * Parameters are spelt as in the API reference, for named arguments: `listEvents(after: 12, limit: 100)`.',
    ' */',
    'trait Operations',
    '{',
    '    /** @var array<string, array{string, string, bool, bool}> method, path, has a body, needs no credentials */',
    '    private static array $routes = [',
    ...operations.map(renderRoute),
    '    ];',
    '',
    '    /**',
    '     * Calls an operation by its name, with its parameters or its body.',
    '     *',
    '     * @param array<string, mixed> $input',
    '     */',
    '    abstract public function operation(string $name, array $input = []): mixed;',
    ...operations.filter(isPlain).flatMap(renderMethod),
    '}',
    '',
  ].join('\n')
}

function head() {
  return ['<?php', '', 'declare(strict_types=1);', '', 'namespace Warung;', '']
}

/** Returns false for payments: the client has a method of its own for them. */
function isPlain({ name }: Described) {
  return name !== 'pay'
}

function renderRoute({ name, method, path, body, isOpen }: Described) {
  const flags = `${body !== undefined}, ${isOpen === true}`
  return `        '${name}' => ['${method}', '${path}', ${flags}],`
}

function renderMethod({ name, summary, parameters, body, answersNothing }: Described) {
  const list = [
    ...parameters.filter((each) => each.in === 'path').map(renderParameter),
    ...(body === undefined ? [] : [body.isRequired ? 'array $body' : 'array $body = []']),
    ...parameters.filter((each) => each.in === 'query').map(renderParameter),
  ]
  const answer = answersNothing ? 'void' : 'array'
  const oneLine = `    public function ${name}(${list.join(', ')}): ${answer}`
  const isShort = oneLine.length <= 120
  const head = isShort
    ? [oneLine, '    {']
    : [`    public function ${name}(`, ...list.map((each) => `        ${each},`), `    ): ${answer} {`]
  const call = `$this->operation('${name}'${renderInput(parameters, body)});`
  return [
    '',
    `    /** ${summary} */`,
    ...head,
    `        ${answersNothing ? call : `return ${call}`}`,
    '    }',
  ]
}

function renderParameter({ name, required, kind }: Argument) {
  if (required === true) return `${KINDS[kind]} $${name}`
  const type = KINDS[kind].includes('|') ? `${KINDS[kind]}|null` : `?${KINDS[kind]}`
  return `${type} $${name} = null`
}

function renderInput(parameters: Argument[], body: Described['body']) {
  if (parameters.length === 0) return body === undefined ? '' : ', $body'
  const members = parameters.map(({ name }) => `'${name}' => $${name}`)
  const spread = body === undefined ? '' : ' + $body'
  const oneLine = `, [${members.join(', ')}]${spread}`
  if (oneLine.length <= 80) return oneLine
  return `, [\n${members.map((each) => `            ${each},`).join('\n')}\n        ]${spread}`
}

export function renderPhpRemedies(remedies: Remedies) {
  return [
    ...head(),
    '/**',
    ' * Advice by token: the error of a 401 or 403, or the remarks of a payment.',
    ' * Generated from the tables of the service by npm run clients-api. Do not edit.',
    ' */',
    'final class Remedies',
    '{',
    '    /** @var array<string, string> */',
    '    public const BY_TOKEN = [',
    ...remedies.map(([token, remedy]) => `        ${quoted(token)} => ${quoted(remedy)},`),
    '    ];',
    '}',
    '',
  ].join('\n')
}

function quoted(text: string) {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
