import type { ComponentProps } from 'react'
import { controlClass } from './control-class.ts'
import { cx } from './cx.ts'
import { useFieldControl } from './Field.tsx'

/** A text control with several lines; it grows with its text if the browser supports that. */
export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={4}
      {...useFieldControl()}
      {...rest}
      className={cx(controlClass, 'field-sizing-content min-h-20 resize-y py-2 leading-relaxed', className)}
    />
  )
}
