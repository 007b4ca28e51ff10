/** Description of an element. Views return it, and `patch` brings the page to it. */
export type Node = {
  readonly tag: string
  readonly key: string | undefined
  readonly props: Props
  readonly children: readonly (Node | string)[]
}

type Handler = (event: never) => void
export type Props = Readonly<Record<string, string | number | boolean | Handler | undefined>>
export type Child = Node | string | null | undefined | false | readonly Child[]

/**
 * Describes an element. `key` tells siblings apart; functions are listeners (`onclick`); true is an attribute without a
 * value; undefined and false leave the attribute out. Text is always text: there is no way to put markup in.
 */
export function h(tag: string, props: Props & { readonly key?: string } = {}, ...children: Child[]): Node {
  const { key, ...rest } = props
  return { tag, key, props: rest, children: [...flat(children)] }
}

function* flat(children: readonly Child[]): Generator<Node | string> {
  for (const child of children) {
    if (child === null || child === undefined || child === false || child === '') continue
    if (typeof child === 'string' || 'tag' in child) yield child
    else yield* flat(child)
  }
}

/** Returns the text of a description, for labels and tests. */
export function textOf(node: Node | string): string {
  return typeof node === 'string' ? node : node.children.map(textOf).join(' ')
}
