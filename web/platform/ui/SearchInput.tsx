import { Search } from 'lucide-react'
import { cx } from './cx.ts'
import { TextInput, type TextInputProps } from './TextInput.tsx'

/** A search box. Its accessible name is `aria-label`, else its placeholder, unless it is inside a `Field`. */
export function SearchInput({ className, ...rest }: TextInputProps) {
  return (
    <span className={cx('relative block', className)}>
      <Search
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-ink-2"
      />
      <TextInput type="search" autoComplete="off" {...rest} className="pl-8" />
    </span>
  )
}
