import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react'
import type { IconName } from './icon.tsx'
import { Icon } from './icon.tsx'

type ButtonLook = 'primary' | 'plain' | 'quiet' | 'danger' | 'danger-quiet'

type Look = {
  readonly look?: ButtonLook
  readonly size?: 'sm' | 'lg'
  readonly isWide?: boolean
  readonly icon?: IconName
}

type ButtonProps = Look & {
  /** True while the click's work goes on: the button says so and takes no second click. */
  readonly isBusy?: boolean
} & ButtonHTMLAttributes<HTMLButtonElement>

export function Button({ look, size, isWide, icon, isBusy = false, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ look, size, isWide }, rest.className)}
      disabled={rest.disabled || isBusy}
      aria-busy={isBusy || undefined}
    >
      {isBusy ? <Spinner /> : icon === undefined ? null : <Icon name={icon} />}
      {children}
    </button>
  )
}

/** Link that looks like a button: it goes somewhere, or downloads a file. */
export function LinkButton({
  look,
  size,
  isWide,
  icon,
  children,
  ...rest
}: Look & AnchorHTMLAttributes<HTMLAnchorElement>) {
  return (
    <a {...rest} className={buttonClass({ look, size, isWide }, rest.className)}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </a>
  )
}

export function buttonClass(
  { look = 'plain', size, isWide }: { [K in keyof Omit<Look, 'icon'>]?: Look[K] | undefined },
  more = '',
): string {
  const parts = ['btn', look === 'plain' ? '' : look, size ?? '', isWide ? 'wide' : '', more]
  return parts.filter((each) => each !== '').join(' ')
}

type IconButtonProps = { icon: IconName; label: string; small?: boolean } & Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'children'
>

/** Button with an icon alone; `label` is read out and shown as a hint. */
export function IconButton({ icon, label, small = false, className = '', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      className={`ib${small ? ' sm' : ''} ${className}`.trim()}
      aria-label={label}
    >
      <Icon name={icon} />
    </button>
  )
}

export function Spinner() {
  return (
    <svg className="i spin" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M8 2a6 6 0 1 1-6 6" />
    </svg>
  )
}

/** Key of the keyboard. */
export function Key({ children }: { children: ReactNode }) {
  return <kbd className="kbd">{children}</kbd>
}
