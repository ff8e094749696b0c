import type { ComponentProps } from 'react'
import { controlClass } from './control-class.ts'
import { cx } from './cx.ts'
import { useFieldControl } from './Field.tsx'

/** Several lines; grows with its text where the browser can. */
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
