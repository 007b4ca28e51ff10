import type { ProductIcon } from '@warung/forms/picks'
import type { Child, Node, Props } from '../dom/nodes.ts'
import { h } from '../dom/nodes.ts'

const ICONS = {
  back: 'M10 3.5 5.5 8l4.5 4.5',
  next: 'M6 3.5 10.5 8 6 12.5',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.6 10.6 14 14',
  close: 'm4 4 8 8m0-8-8 8',
  basket: 'M2 6.5h12l-1.3 7H3.3zM5 6.5 7 2.5M11 6.5 9 2.5',
  minus: 'M3.5 8h9',
  plus: 'M3.5 8h9M8 3.5v9',
  copy: 'M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3',
  clock: 'M8 13.8A5.8 5.8 0 1 0 8 2.2a5.8 5.8 0 0 0 0 11.6zM8 4.8V8l2.2 1.6',
  bill: 'M4 2h8v12l-2-1.3L8 14l-2-1.3L4 14zM6.3 5.5h3.4M6.3 8.5h2',
  game: 'M5 5h6a3 3 0 0 1 3 3v1.5a2.3 2.3 0 0 1-4.2 1.3L9 10H7l-.8.8A2.3 2.3 0 0 1 2 9.5V8a3 3 0 0 1 3-3zM5 7v2M4 8h2M11 8h.01',
  gift: 'M2.5 6h11v2.5h-11zM3.5 8.5h9v5h-9zM8 6v7.5M8 6S6.5 2 4.8 3.2 8 6 8 6zm0 0s1.5-4 3.2-2.8S8 6 8 6z',
  phone: 'M5 1.8h6a.7.7 0 0 1 .7.7v11a.7.7 0 0 1-.7.7H5a.7.7 0 0 1-.7-.7v-11a.7.7 0 0 1 .7-.7zM7 11.8h2',
  pin: 'M2 4h12v8H2zM5 8h.01M8 8h.01M11 8h.01',
} as const satisfies Readonly<Record<ProductIcon | string, string>>

export type IconName = keyof typeof ICONS

export function icon(name: IconName): Node {
  return h('svg', { class: 'i', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, h('path', { d: ICONS[name] }))
}

export type Tone = 'ok' | 'wait' | 'bad' | 'off'

/** Shape of a state, so that no state is told by its colour alone. */
export function shape(tone: Tone): Node {
  return h('svg', { class: `sh ${tone}`, viewBox: '0 0 16 16', 'aria-hidden': 'true' }, ...SHAPES[tone])
}

const SHAPES: Readonly<Record<Tone, readonly Node[]>> = {
  ok: [h('circle', { cx: 8, cy: 8, r: 7 }), h('path', { class: 'on', d: 'm4.8 8.3 2.2 2.3 4.3-4.9' })],
  wait: [
    h('circle', { class: 'ring', cx: 8, cy: 8, r: 6.1 }),
    h('path', { d: 'M8 4.3a3.7 3.7 0 0 1 0 7.4z' }),
  ],
  bad: [
    h('rect', { x: 1.5, y: 1.5, width: 13, height: 13, rx: 2.5 }),
    h('path', { class: 'on', d: 'm5.3 5.3 5.4 5.4m0-5.4-5.4 5.4' }),
  ],
  off: [h('circle', { class: 'ring dashed', cx: 8, cy: 8, r: 6.1 })],
}

type ButtonProps = Props & { readonly key?: string }

export function button(props: ButtonProps, ...children: Child[]): Node {
  return h('button', { type: 'button', ...props, class: `btn ${props.class ?? ''}` }, ...children)
}

export function note(tone: Tone, ...children: Child[]): Node {
  return h('div', { class: `note ${tone}` }, shape(tone), h('div', {}, ...children))
}

/** Picture on a neutral tile. The tile with its icon stays where the picture cannot be loaded. */
export function picture(url: string | null | undefined, name: IconName): Node {
  const isPicture = typeof url === 'string' && /^(https?:\/\/|\/)/.test(url)
  const hide = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    currentTarget.setAttribute('hidden', '')
  }
  return h(
    'span',
    { class: 'tile', 'aria-hidden': 'true' },
    icon(name),
    isPicture && h('img', { key: url, src: url, alt: '', loading: 'lazy', onerror: hide }),
  )
}

/** Heading of a screen. The focus goes here when the screen changes, so that its name is read out. */
export function title(level: 1 | 2, words: string, ...more: Child[]): Node {
  return h(`h${level}`, { class: 'title', tabindex: '-1', 'data-title': true }, words, ...more)
}

/** Buttons that lower and raise a quantity. */
export function stepper(options: {
  readonly id: string
  readonly label: string
  readonly fewer: string
  readonly more: string
  readonly value: number
  readonly max: number
  readonly isDisabled?: boolean
  readonly onValue: (value: number) => void
}): Node {
  const { id, label, fewer, more, value, max, isDisabled = false, onValue } = options
  const step = (kind: 'minus' | 'plus', words: string, next: number) =>
    button(
      {
        class: 'square',
        'aria-label': words,
        // A button that is off keeps the focus: the keyboard goes on from it.
        'aria-disabled': isDisabled || next < 1 || next > max ? 'true' : undefined,
        onclick: () => {
          if (!isDisabled && next >= 1 && next <= max) onValue(next)
        },
      },
      icon(kind),
    )
  return h(
    'span',
    { class: 'stepper', role: 'group', 'aria-label': label, id },
    step('minus', fewer, value - 1),
    h('output', { 'aria-live': 'polite' }, String(value)),
    step('plus', more, value + 1),
  )
}
