import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { controlClass, controlHeight } from './control-class.ts'
import { cx } from './cx.ts'
import { useFieldControl } from './Field.tsx'

type SelectProps = ComponentProps<'select'> & {
  /** The options in order, in place of children. */
  options?: ReadonlyArray<{ value: string; label: string; disabled?: boolean }>
}

/** The native select in our style. */
export function Select({ options, className, children, ...rest }: SelectProps) {
  return (
    <span className={cx('relative block', className)}>
      <select
        {...useFieldControl()}
        {...rest}
        className={cx(controlClass, controlHeight, 'appearance-none pr-8')}
      >
        {options?.map(({ value, label, disabled }) => (
          <option key={value} value={value} disabled={disabled}>
            {label}
          </option>
        ))}
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-4 text-ink-2"
      />
    </span>
  )
}
