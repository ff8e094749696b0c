import { type RefObject, useRef } from 'react'
import { type FieldName, fieldTag } from '#contract/outreach/template-text/fields.ts'

type Control = HTMLInputElement | HTMLTextAreaElement

/**
 * Puts fields and conditions where the cursor is, in the control that had it last; in the text before that.
 */
export function useInsert(body: RefObject<HTMLTextAreaElement | null>) {
  const last = useRef<Control | null>(null)
  const insert = (write: (selected: string) => { text: string; caret: number }) => {
    const control = last.current ?? body.current
    if (control === null) return
    const isNew = last.current === null
    const from = isNew ? control.value.length : (control.selectionStart ?? control.value.length)
    const to = isNew ? from : (control.selectionEnd ?? from)
    const { text, caret } = write(control.value.slice(from, to))
    control.focus()
    control.setSelectionRange(from, to)
    // As if typed, so that the browser's own Undo takes it back; browsers without this command set the text.
    if (!document.execCommand('insertText', false, text)) {
      control.setRangeText(text, from, to, 'end')
      control.dispatchEvent(new Event('input', { bubbles: true }))
    }
    control.setSelectionRange(from + caret, from + caret)
    last.current = control
  }
  return {
    /** For the `onFocus` of the controls. */
    remember: (event: { currentTarget: Control }) => {
      last.current = event.currentTarget
    },
    putField: (name: FieldName) =>
      insert(() => {
        const text = fieldTag(name)
        return { text, caret: text.length }
      }),
    /** What is selected is from now on said only to readers of whom the field is known. */
    putCondition: (name: FieldName) =>
      insert((selected) => {
        const begin = `{% if ${name} %}`
        return { text: `${begin}${selected}{% endif %}`, caret: begin.length + selected.length }
      }),
  }
}
