/** What was typed for a field that is not there yet; more than this nobody types without looking. */
const KEPT_MAX = 200

let kept = ''
let handing = new AbortController()

/** Keeps what a key types. True where the key types, or takes back what was typed. */
export function keepTyped({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return false
  if (key === 'Backspace') kept = kept.slice(0, -1)
  else if (key.length === 1) kept = (kept + key).slice(0, KEPT_MAX)
  else return false
  return true
}

/** Forgets what was typed: nothing comes that could take it. */
export function forgetTyped(): void {
  handing.abort()
  kept = ''
}

/** Puts what was typed into the dialog that gets the focus next, where that begins with a field. */
export function handOverTyped(): void {
  handing.abort()
  handing = new AbortController()
  document.addEventListener(
    'focusin',
    ({ target }) => {
      if (!(target instanceof Element) || target.closest('[role=dialog]') === null) return
      const text = kept
      forgetTyped()
      const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
      // Boxes and numbers have no place for a caret (HTML 4.10.5.2.10), nor for what was typed.
      if (!isField || target.selectionStart === null || text === '') return
      target.setRangeText(text, target.selectionStart, target.selectionEnd ?? target.selectionStart, 'end')
      target.dispatchEvent(new InputEvent('input', { bubbles: true }))
    },
    { signal: handing.signal },
  )
}
