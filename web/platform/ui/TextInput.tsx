import type { ComponentProps } from 'react'
import { controlClass, controlHeight } from './control-class.ts'
import { cx } from './cx.ts'
import { useFieldControl } from './Field.tsx'

export type TextInputProps = ComponentProps<'input'>

/** A one-line text control; takes all attributes of an input, and a ref. */
export function TextInput({ className, ...rest }: TextInputProps) {
  return (
    <input
      type="text"
      {...useFieldControl()}
      {...rest}
      className={cx(controlClass, controlHeight, className)}
    />
  )
}
