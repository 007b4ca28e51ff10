import type { FieldKit } from '@warung/forms/fields'
import type { ProductIcon } from '@warung/forms/picks'
import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react'
import type { Checkout } from '../state/checkout.ts'
import { moneyText } from '../text/format.ts'

/** Parts of the page around the checkout that its screens need. */
export type Surroundings = {
  readonly checkout: Checkout
  /** Level of the first heading: 1 on the hosted page, 2 inside somebody's page. */
  readonly level: 1 | 2
  readonly origin: string
  /** Moves the focus to the element with this id, once it is drawn. */
  readonly focusOn: (id: string) => void
  readonly pay: (event: MouseEvent) => void
}

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

export function Icon({ name }: { name: keyof typeof ICONS }) {
  return (
    <svg className="i" viewBox="0 0 16 16" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  )
}

export type Tone = 'ok' | 'wait' | 'bad' | 'off'

/** Shape of a state, so that no state is told by its colour alone. */
export function Shape({ tone }: { tone: Tone }) {
  return (
    <svg className={`sh ${tone}`} viewBox="0 0 16 16" aria-hidden="true">
      {SHAPES[tone]()}
    </svg>
  )
}

const SHAPES: Readonly<Record<Tone, () => ReactNode>> = {
  ok: () => (
    <>
      <circle cx={8} cy={8} r={7} />
      <path className="on" d="m4.8 8.3 2.2 2.3 4.3-4.9" />
    </>
  ),
  wait: () => (
    <>
      <circle className="ring" cx={8} cy={8} r={6.1} />
      <path d="M8 4.3a3.7 3.7 0 0 1 0 7.4z" />
    </>
  ),
  bad: () => (
    <>
      <rect x={1.5} y={1.5} width={13} height={13} rx={2.5} />
      <path className="on" d="m5.3 5.3 5.4 5.4m0-5.4-5.4 5.4" />
    </>
  ),
  off: () => <circle className="ring dashed" cx={8} cy={8} r={6.1} />,
}

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> & {
  /** Button that does nothing keeps the focus: the keyboard goes on from it. */
  readonly isOff?: boolean
}

export function Button({ className = '', isOff = false, ...rest }: ButtonProps) {
  return <button type="button" {...rest} className={`btn ${className}`} aria-disabled={isOff || undefined} />
}

export function Note({ tone, children, end }: { tone: Tone; children: ReactNode; end?: ReactNode }) {
  return (
    <div className={`note ${tone}`}>
      <Shape tone={tone} />
      <div>{children}</div>
      {end}
    </div>
  )
}

/** Picture on a neutral tile. The tile with its icon stays where the picture cannot be loaded. */
export function Picture({ url, icon }: { url: string | null; icon: ProductIcon }) {
  return (
    <span className="tile" aria-hidden="true">
      <Icon name={icon} />
      {url !== null && /^(https?:\/\/|\/)/.test(url) ? (
        <img
          key={url}
          src={url}
          alt=""
          loading="lazy"
          onError={({ currentTarget }) => currentTarget.setAttribute('hidden', '')}
        />
      ) : null}
    </span>
  )
}

/** Heading of a screen. The focus goes here when the screen changes, so that its name is read out. */
export function Title({ level, children }: { level: 1 | 2; children: string }) {
  const Heading = `h${level}` as const
  return (
    <Heading className="title" tabIndex={-1} data-title="">
      {children}
    </Heading>
  )
}

type StepperProps = {
  readonly id: string
  readonly checkout: Checkout
  readonly label: string
  /** Product whose quantity it is. */
  readonly name: string
  readonly value: number
  readonly max: number
  readonly isDisabled?: boolean
  readonly onValue: (value: number) => void
}

/** Buttons that lower and raise a quantity. */
export function Stepper({ id, checkout, label, name, value, max, isDisabled, onValue }: StepperProps) {
  const text = checkout.text()
  const step = (icon: 'minus' | 'plus', words: string, next: number) => {
    const isOff = isDisabled === true || next < 1 || next > max
    return (
      <Button className="square" aria-label={words} isOff={isOff} onClick={() => isOff || onValue(next)}>
        <Icon name={icon} />
      </Button>
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a line of buttons in every browser.
    <span className="stepper" role="group" aria-label={label} id={id}>
      {step('minus', text.fewer(name), value - 1)}
      <output aria-live="polite">{value}</output>
      {step('plus', text.more(name), value + 1)}
    </span>
  )
}

/** Marks and words of the fields of a form. */
export function kitOf(checkout: Checkout): FieldKit {
  return {
    text: checkout.text(),
    money: moneyText,
    currency: (code) => (code === 'MYR' ? 'RM' : code),
    bad: <Shape tone="bad" />,
    search: <Icon name="search" />,
    isOwn: true,
  }
}

/** Address of the shop. Only web addresses become links: the address is data of somebody else. */
export function safeUrl(url: string | null): string | undefined {
  return url !== null && /^https?:\/\//i.test(url) ? url : undefined
}
