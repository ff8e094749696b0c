import { cx } from './cx.ts'

export type ButtonVariant = 'primary' | 'quiet' | 'plain' | 'danger'
export type ButtonSize = 's' | 'm' | 'l'

const LOOKS: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent border-accent hover:bg-accent-strong hover:border-accent-strong',
  quiet: 'bg-surface text-ink border-line hover:border-control active:bg-sunken',
  plain: 'bg-transparent text-ink-2 border-transparent hover:bg-sunken hover:text-ink',
  danger: 'bg-danger text-on-danger border-danger hover:bg-danger-strong hover:border-danger-strong',
}

const SIZES: Record<ButtonSize, string> = {
  s: 'h-7 px-2.5 text-sm',
  m: 'h-8.5 px-3 text-base',
  l: 'h-11 px-5 text-md',
}

/** The classes of a button, for buttons and for links that look like one (`<Link className={buttonClass()}>`). */
export const buttonClass = (variant: ButtonVariant = 'quiet', size: ButtonSize = 'm') =>
  cx(
    'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap select-none',
    'transition-colors active:translate-y-px motion-reduce:active:translate-y-0',
    'disabled:opacity-50 disabled:pointer-events-none aria-disabled:cursor-default pointer-coarse:min-h-11',
    LOOKS[variant],
    SIZES[size],
  )
