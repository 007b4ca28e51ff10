import type { Node, Props } from './nodes.ts'

const SVG = 'http://www.w3.org/2000/svg'
/** Values that live in the element and not in its attribute once somebody has typed or clicked. */
const LIVE = new Set(['value', 'checked'])

/** Brings the children of `root` to `next`. Elements that stay keep their focus, their caret and their scrolling. */
export function patch(
  root: ParentNode & globalThis.Node,
  former: readonly Node[],
  next: readonly Node[],
): void {
  patchChildren(root, former, next, null)
}

type Part = Node | string

function create(node: Part, space: string | null): globalThis.Node {
  if (typeof node === 'string') return document.createTextNode(node)
  const inner = node.tag === 'svg' ? SVG : space
  const element =
    inner === null ? document.createElement(node.tag) : document.createElementNS(inner, node.tag)
  for (const child of node.children) element.append(create(child, inner))
  // A select or a radio takes its value after its children are there.
  setProps(element, {}, node.props)
  return element
}

function patchElement(element: Element, former: Node, next: Node, space: string | null): void {
  const inner = next.tag === 'svg' ? SVG : space
  patchChildren(element, former.children, next.children, inner)
  setProps(element, former.props, next.props)
}

function setProps(element: Element, former: Props, next: Props): void {
  for (const name of Object.keys(former)) {
    if (next[name] === undefined) setProp(element, name, undefined)
  }
  for (const [name, value] of Object.entries(next)) {
    if (LIVE.has(name) || value !== former[name]) setProp(element, name, value)
  }
}

function setProp(element: Element, name: string, value: Props[string]): void {
  if (name.startsWith('on') || LIVE.has(name)) {
    const target = element as unknown as Record<string, unknown>
    const wanted = value ?? (name === 'value' ? '' : null)
    if (target[name] !== wanted) target[name] = wanted
  } else if (value === undefined || value === false) element.removeAttribute(name)
  else element.setAttribute(name, value === true ? '' : String(value))
}

function patchChildren(
  parent: globalThis.Node,
  former: readonly Part[],
  next: readonly Part[],
  space: string | null,
): void {
  const nodes = [...parent.childNodes]
  const places = match(former, next)
  // Removals come first: then nothing that stays has to be moved, and a focused field is not blurred.
  const kept = new Set(places)
  for (const [at, node] of nodes.entries()) if (!kept.has(at)) node.remove()
  for (const [at, wanted] of next.entries()) {
    const place = places[at]
    const node = place === undefined ? undefined : nodes[place]
    const made = node ?? create(wanted, space)
    if (parent.childNodes[at] !== made) parent.insertBefore(made, parent.childNodes[at] ?? null)
    if (node === undefined || place === undefined) continue
    const before = former[place]
    if (typeof wanted === 'string') {
      if (before !== wanted) node.textContent = wanted
    } else if (typeof before === 'object') patchElement(node as Element, before, wanted, space)
  }
}

/** Finds for each new part the former one that it goes on from: the same kind and key, in their order. */
function match(former: readonly Part[], next: readonly Part[]): (number | undefined)[] {
  const free = new Map<string, number[]>()
  for (const [at, part] of former.entries()) {
    const name = nameOf(part)
    free.set(name, [...(free.get(name) ?? []), at])
  }
  return next.map((part) => free.get(nameOf(part))?.shift())
}

function nameOf(part: Part): string {
  return typeof part === 'string' ? '' : `${part.tag} ${part.key ?? ''}`
}
