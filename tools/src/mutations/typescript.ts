import type { ESTree } from 'rolldown/utils'
import { parseSync } from 'rolldown/utils'
import type { Edit } from './sql.ts'
import { isSql, sqlEdits, table } from './sql.ts'

/**
 * Small change of a source: the text from `start` to `end` is replaced. `isStatement` says that the place is a whole
 * statement and that the change removes it.
 */
export type Change = Edit & { isStatement?: boolean }

type Node = ESTree.Node
/** Source under change. */
type Source = {
  text: string
  of(node: ESTree.Span): string
  replace(node: ESTree.Span, replacement: string): void
  remove(node: ESTree.Span): void
}
type Context = { parent: Node; key: string; source: Source }
type Of<Type extends Node['type']> = Extract<Node, { type: Type }>

const COMPARISONS = table<{ boundary?: string; negation: string }>({
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

/** Lists the changes of a TypeScript source, in the order of their places. */
export function typescriptChanges(text: string): Change[] {
  const { program, errors } = parseSync('source.ts', text)
  if (errors[0] !== undefined) throw new Error(errors[0].message)
  const changes: Change[] = []
  const source: Source = {
    text,
    of: (node) => text.slice(node.start, node.end),
    replace: (node, replacement) => changes.push({ start: node.start, end: node.end, replacement }),
    remove: (node) => changes.push({ start: node.start, end: node.end, replacement: '', isStatement: true }),
  }
  visit(program, { parent: program, key: '', source })
  return changes.sort((a, b) => a.start - b.start || b.end - a.end)
}

function visit(node: Node, { parent, key, source }: Context) {
  if (isUntouched(node)) return
  const mutate = MUTATORS[node.type] as ((node: Node, context: Context) => void) | undefined
  mutate?.(node, { parent, key, source })
  if (isCondition(node, parent, key)) mutateCondition(node, parent, source)
  for (const [name, value] of Object.entries(node) as [string, unknown][]) {
    if (isSkipped(node, name)) continue
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isNode(child)) visit(child, { parent: node, key: name, source })
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** Tells whether a node is a type, or names another module. */
function isUntouched(node: Node) {
  const { type } = node
  const isType = type.startsWith('TS') && !TRANSPARENT.has(type)
  const names = type.startsWith('Export') && 'source' in node && Boolean(node.source)
  return isType || type === 'ImportDeclaration' || names
}

function isSkipped(node: Node, name: string) {
  const isComputed = 'computed' in node && node.computed
  return (TRANSPARENT.has(node.type) && name !== 'expression') || (name === 'key' && !isComputed)
}

const MUTATORS: { [Type in Node['type']]?: (node: Of<Type>, context: Context) => void } = {
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
    const { expression } = node
    const isSuper = expression.type === 'CallExpression' && expression.callee.type === 'Super'
    if (REMOVED_EXPRESSIONS.has(expression.type) && !isSuper) source.remove(node)
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

function isCondition(node: Node, parent: Node, key: string) {
  return key === 'test' && parent.type !== 'SwitchCase' && node.type !== 'Literal'
}

function mutateCondition(node: Node, parent: Node, source: Source) {
  // A loop whose condition is always true only shows that the loop has one.
  const isLoop = parent.type !== 'IfStatement' && parent.type !== 'ConditionalExpression'
  if (!isLoop) source.replace(node, 'true')
  source.replace(node, 'false')
}

function mutateBinary(node: Of<'BinaryExpression'>, { parent, key, source }: Context) {
  const { operator, left, right } = node
  const swap = (other: string) => source.replace(node, `${source.of(left)} ${other} ${source.of(right)}`)
  const comparison = COMPARISONS[operator]
  if (comparison?.boundary !== undefined) swap(comparison.boundary)
  // The negation of a condition is seen wherever the two constants are.
  if (comparison && !isCondition(node, parent, key)) swap(comparison.negation)
  const isText = [left, right].some(
    (side) => side.type === 'TemplateLiteral' || (side.type === 'Literal' && typeof side.value === 'string'),
  )
  const arithmetic = ARITHMETIC[operator]
  if (arithmetic !== undefined && !isText) swap(arithmetic)
}

function mutateLogical(node: Of<'LogicalExpression'>, { source }: Context) {
  const { operator, left, right } = node
  source.replace(node, source.of(left))
  // `a && b && c` is `(a && b) && c`: each operand is left out once.
  if (left.type !== 'LogicalExpression' || left.operator !== operator) source.replace(node, source.of(right))
}

function mutateUnary(node: Of<'UnaryExpression'>, { parent, key, source }: Context) {
  if (node.operator === '!' && isCondition(node, parent, key)) return
  if (['!', '-', '~'].includes(node.operator)) source.replace(node, source.of(node.argument))
}

function mutateAssignment(node: Of<'AssignmentExpression'>, { source }: Context) {
  const { operator, left, right } = node
  const plain = operator.slice(0, -1)
  if (plain === '') return
  const other = ARITHMETIC[plain] ?? ''
  source.replace(node, `${source.of(left)} ${other}= ${source.of(right)}`)
}

function mutateLiteral(node: Of<'Literal'>, { parent, key, source }: Context) {
  const { value } = node
  if ('directive' in parent && typeof parent.directive === 'string') return
  if ('regex' in node) mutateRegex(node, source)
  else if (typeof value === 'bigint') source.replace(node, `${value + 1n}n`)
  else if (typeof value === 'number') source.replace(node, String(value + 1))
  else if (typeof value === 'boolean') source.replace(node, String(!value))
  else if (typeof value === 'string') mutateString(node, value, { parent, key, source })
}

function mutateString(node: ESTree.Span, value: string, { parent, key, source }: Context) {
  const text = source.of(node)
  // The compiler asks for a default of each part that a pattern gives, also of those that are always there.
  if (value === '' && parent.type === 'AssignmentPattern') return
  if (isSql(value)) {
    for (const edit of sqlEdits(text)) source.replace(node, applyEdit(text, edit))
  } else if (value === '') source.replace(node, `'mutant'`)
  else if (CODE_WORD.test(value) && !(parent.type === 'ImportExpression' && key === 'source')) {
    source.replace(node, `''`)
  }
}

function mutateRegex(node: ESTree.RegExpLiteral, source: Source) {
  const { pattern, flags } = node.regex
  if (pattern.startsWith('^')) source.replace(node, `/${pattern.slice(1) || '(?:)'}/${flags}`)
  if (pattern.endsWith('$')) source.replace(node, `/${pattern.slice(0, -1) || '(?:)'}/${flags}`)
}

function mutateTemplate(node: Of<'TemplateLiteral'>, { parent, source }: Context) {
  if (parent.type === 'TaggedTemplateExpression') return
  const text = source.of(node)
  if (isSql(node.quasis.map(({ value }) => value.raw).join('value'))) {
    for (const edit of sqlEdits(text)) source.replace(node, applyEdit(text, edit))
  } else if (node.expressions.length > 0 && node.quasis.every(({ value }) => !/\s/.test(value.raw))) {
    source.replace(node, '``')
  }
}

function mutateCall(node: Of<'CallExpression'>, { parent, source }: Context) {
  const { callee } = node
  if (callee.type !== 'MemberExpression' || callee.computed || callee.optional || node.optional) return
  if (parent.type === 'ChainExpression' || isInChain(callee)) return
  const { object, property } = callee
  if (property.type !== 'Identifier') return
  const swapped = SWAPPED_METHODS[property.name]
  if (swapped !== undefined) {
    const rest = source.text.slice(property.end, node.end)
    source.replace(node, `${source.text.slice(node.start, property.start)}${swapped}${rest}`)
  }
  if (DROPPED_METHODS.has(property.name)) source.replace(node, source.of(object))
}

/** Tells whether a part of the expression may end it early: it must stay in its chain. */
function isInChain(node: ESTree.Expression): boolean {
  if (node.type === 'MemberExpression') return node.optional || isInChain(node.object)
  return node.type === 'CallExpression' && (node.optional || isInChain(node.callee))
}

function mutateChain(node: Of<'ChainExpression'>, { source }: Context) {
  for (let link: ESTree.Expression | undefined = node.expression; link; link = innerOf(link)) {
    if (!('optional' in link) || !link.optional) continue
    const from = innerOf(link)?.end
    const at = source.text.indexOf('?.', from)
    const isName = link.type === 'MemberExpression' && !link.computed
    source.replace(
      node,
      `${source.text.slice(node.start, at)}${isName ? '.' : ''}${source.text.slice(at + 2, node.end)}`,
    )
  }
}

function innerOf(link: ESTree.Expression) {
  if (link.type === 'MemberExpression') return link.object
  return link.type === 'CallExpression' ? link.callee : undefined
}

function applyEdit(text: string, { start, end, replacement }: Edit) {
  return text.slice(0, start) + replacement + text.slice(end)
}
