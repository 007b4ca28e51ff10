import { parseSync } from 'rolldown/utils'
import { isSql, sqlEdits, table } from './sql.js'

/**
 * One small change of a source: the text from `start` to `end` is replaced. `isStatement` says that the place is a whole
 * statement and that the change removes it.
 * @typedef {{ start: number, end: number, replacement: string, isStatement?: boolean }} Change
 */

const COMPARISONS = table({
  '<': { boundary: '<=', negation: '>=' },
  '<=': { boundary: '<', negation: '>' },
  '>': { boundary: '>=', negation: '<=' },
  '>=': { boundary: '>', negation: '<' },
  '===': { negation: '!==' },
  '!==': { negation: '===' },
})
const ARITHMETIC = table({
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '**': '*',
  '<<': '>>',
  '>>': '<<',
  '&': '|',
  '|': '&',
  '^': '&',
})
const SWAPPED_METHODS = table({
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  toUpperCase: 'toLowerCase',
  toLowerCase: 'toUpperCase',
})
/** Methods whose call is replaced by the value that they are called on. */
const DROPPED_METHODS = new Set([
  'filter',
  'padEnd',
  'padStart',
  'reverse',
  'slice',
  'sort',
  'toReversed',
  'toSorted',
  'trim',
])
/** Strings that code compares or stores. Texts for people have spaces, and are not changed. */
const CODE_WORD = /^[\w.:/-]+$/
const TRANSPARENT = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'])
const REMOVED_EXPRESSIONS = new Set([
  'AssignmentExpression',
  'AwaitExpression',
  'CallExpression',
  'UpdateExpression',
])
const CONSTANTS = new Set(['Literal', 'ArrayExpression'])

/**
 * Lists the changes of a TypeScript source, in the order of their places.
 * @returns {Change[]}
 */
export function typescriptChanges(text) {
  const { program, errors } = parseSync('source.ts', text)
  if (errors.length > 0) throw new Error(errors[0].message)
  const changes = []
  const source = {
    text,
    of: (node) => text.slice(node.start, node.end),
    replace: (node, replacement) => changes.push({ start: node.start, end: node.end, replacement }),
    remove: (node) => changes.push({ start: node.start, end: node.end, replacement: '', isStatement: true }),
  }
  visit(program, { type: 'None' }, '', source)
  return changes.sort((a, b) => a.start - b.start || b.end - a.end)
}

function visit(node, parent, key, source) {
  if (isUntouched(node)) return
  MUTATORS[node.type]?.(node, { parent, key, source })
  if (isCondition(node, parent, key)) mutateCondition(node, parent, source)
  for (const [name, value] of Object.entries(node)) {
    if (isSkipped(node, name)) continue
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string') visit(child, node, name, source)
    }
  }
}

/** Tells whether a node is a type, or names another module. */
function isUntouched({ type, source }) {
  const isType = type.startsWith('TS') && !TRANSPARENT.has(type)
  return isType || type === 'ImportDeclaration' || (type.startsWith('Export') && Boolean(source))
}

function isSkipped({ type, computed }, name) {
  return (TRANSPARENT.has(type) && name !== 'expression') || (name === 'key' && !computed)
}

const MUTATORS = {
  BinaryExpression: mutateBinary,
  LogicalExpression: mutateLogical,
  UnaryExpression: mutateUnary,
  UpdateExpression(node, { source }) {
    const text = source.of(node)
    source.replace(node, text.includes('++') ? text.replace('++', '--') : text.replace('--', '++'))
  },
  AssignmentExpression: mutateAssignment,
  Literal: mutateLiteral,
  TemplateLiteral: mutateTemplate,
  ArrayExpression(node, { source }) {
    if (node.elements.length > 0) source.replace(node, '[]')
  },
  ArrowFunctionExpression({ body }, { source }) {
    if (body.type !== 'BlockStatement' && !CONSTANTS.has(body.type)) source.replace(body, 'undefined')
  },
  ReturnStatement({ argument }, { source }) {
    if (argument && !CONSTANTS.has(argument.type) && source.of(argument) !== 'undefined') {
      source.replace(argument, 'undefined')
    }
  },
  ExpressionStatement(node, { source }) {
    if (REMOVED_EXPRESSIONS.has(node.expression.type) && node.expression.callee?.type !== 'Super') {
      source.remove(node)
    }
  },
  ThrowStatement: (node, { source }) => source.remove(node),
  ContinueStatement: (node, { source }) => source.remove(node),
  BreakStatement(node, { parent, source }) {
    if (parent.type !== 'SwitchCase') source.remove(node)
  },
  ForOfStatement: ({ right }, { source }) => source.replace(right, '[]'),
  CallExpression: mutateCall,
  ChainExpression: mutateChain,
}

function isCondition(node, parent, key) {
  return key === 'test' && parent.type !== 'SwitchCase' && node.type !== 'Literal'
}

function mutateCondition(node, parent, source) {
  // A loop whose condition is always true only shows that the loop has one.
  const isLoop = parent.type !== 'IfStatement' && parent.type !== 'ConditionalExpression'
  if (!isLoop) source.replace(node, 'true')
  source.replace(node, 'false')
}

function mutateBinary(node, { parent, key, source }) {
  const { operator, left, right } = node
  const swap = (other) => source.replace(node, `${source.of(left)} ${other} ${source.of(right)}`)
  const comparison = COMPARISONS[operator]
  if (comparison?.boundary) swap(comparison.boundary)
  // The negation of a condition is seen wherever the two constants are.
  if (comparison && !isCondition(node, parent, key)) swap(comparison.negation)
  const isText = [left, right].some(
    (side) => side.type === 'TemplateLiteral' || typeof side.value === 'string',
  )
  if (ARITHMETIC[operator] && !isText) swap(ARITHMETIC[operator])
}

function mutateLogical(node, { source }) {
  const { operator, left, right } = node
  source.replace(node, source.of(left))
  // `a && b && c` is `(a && b) && c`: each operand is left out once.
  if (left.type !== 'LogicalExpression' || left.operator !== operator) source.replace(node, source.of(right))
}

function mutateUnary(node, { parent, key, source }) {
  if (node.operator === '!' && isCondition(node, parent, key)) return
  if (['!', '-', '~'].includes(node.operator)) source.replace(node, source.of(node.argument))
}

function mutateAssignment(node, { source }) {
  const { operator, left, right } = node
  const plain = operator.slice(0, -1)
  if (plain === '') return
  const other = ARITHMETIC[plain] === undefined ? '' : ARITHMETIC[plain]
  source.replace(node, `${source.of(left)} ${other}= ${source.of(right)}`)
}

function mutateLiteral(node, { parent, key, source }) {
  const { value, bigint, regex } = node
  if (parent.directive !== undefined && parent.directive !== null) return
  if (regex) mutateRegex(node, source)
  else if (bigint) source.replace(node, `${BigInt(bigint) + 1n}n`)
  else if (typeof value === 'number') source.replace(node, String(value + 1))
  else if (typeof value === 'boolean') source.replace(node, String(!value))
  else if (typeof value === 'string') mutateString(node, parent, key, source)
}

function mutateString(node, parent, key, source) {
  const text = source.of(node)
  // The compiler asks for a default of each part that a pattern gives, also of those that are always there.
  if (node.value === '' && parent.type === 'AssignmentPattern') return
  if (isSql(node.value)) {
    for (const edit of sqlEdits(text)) source.replace(node, applyEdit(text, edit))
  } else if (node.value === '') source.replace(node, `'mutant'`)
  else if (CODE_WORD.test(node.value) && !(parent.type === 'ImportExpression' && key === 'source')) {
    source.replace(node, `''`)
  }
}

function mutateRegex(node, source) {
  const { pattern, flags } = node.regex
  if (pattern.startsWith('^')) source.replace(node, `/${pattern.slice(1) || '(?:)'}/${flags}`)
  if (pattern.endsWith('$')) source.replace(node, `/${pattern.slice(0, -1) || '(?:)'}/${flags}`)
}

function mutateTemplate(node, { parent, source }) {
  if (parent.type === 'TaggedTemplateExpression') return
  const text = source.of(node)
  if (isSql(node.quasis.map(({ value }) => value.raw).join('value'))) {
    for (const edit of sqlEdits(text)) source.replace(node, applyEdit(text, edit))
  } else if (node.expressions.length > 0 && node.quasis.every(({ value }) => !/\s/.test(value.raw))) {
    source.replace(node, '``')
  }
}

function mutateCall(node, { parent, source }) {
  const { callee } = node
  if (callee.type !== 'MemberExpression' || callee.computed || callee.optional || node.optional) return
  if (parent.type === 'ChainExpression' || isInChain(callee)) return
  const { object, property } = callee
  const swapped = SWAPPED_METHODS[property.name]
  if (swapped !== undefined) {
    const rest = source.text.slice(property.end, node.end)
    source.replace(node, `${source.text.slice(node.start, property.start)}${swapped}${rest}`)
  }
  if (DROPPED_METHODS.has(property.name)) source.replace(node, source.of(object))
}

/** Tells whether a part of the expression may end it early: it must stay in its chain. */
function isInChain(node) {
  if (node.optional) return true
  if (node.type === 'MemberExpression') return isInChain(node.object)
  return node.type === 'CallExpression' && isInChain(node.callee)
}

function mutateChain(node, { source }) {
  for (let link = node.expression; link; link = link.object ?? link.callee) {
    if (!link.optional) continue
    const from = (link.object ?? link.callee).end
    const at = source.text.indexOf('?.', from)
    const isName = link.type === 'MemberExpression' && !link.computed
    source.replace(
      node,
      `${source.text.slice(node.start, at)}${isName ? '.' : ''}${source.text.slice(at + 2, node.end)}`,
    )
  }
}

function applyEdit(text, { start, end, replacement }) {
  return text.slice(0, start) + replacement + text.slice(end)
}
