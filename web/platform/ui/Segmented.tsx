import { useId } from 'react'
import { cx } from './cx.ts'

type SegmentedProps<Value extends string> = {
  /** Names the group for screen readers. */
  label: string
  value: Value
  onChange: (value: Value) => void
  options: ReadonlyArray<{ value: Value; label: string }>
  className?: string
}

/** A few choices side by side: radio buttons in one frame. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, value, onChange, options, className } = props
  const name = useId()
  return (
    <fieldset className={cx('flex w-fit max-w-full rounded-md bg-sunken p-0.5', className)}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="relative flex min-w-0 items-center rounded-[5px] px-2.5 py-1 text-sm text-ink-2 transition-colors has-checked:bg-surface has-checked:ring-1 has-checked:ring-line has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:min-h-10"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-[5px] outline-none"
          />
          <span className="truncate">{option.label}</span>
        </label>
      ))}
    </fieldset>
  )
}
