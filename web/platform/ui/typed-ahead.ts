/** At most this many characters are kept for a field that does not exist yet; nobody types more without looking. */
const KEPT_MAX = 200

let kept = ''
let handing = new AbortController()

/** Stores the character of a key press. Returns true if the key types a character or deletes one. */
export function keepTyped({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return false
  if (key === 'Backspace') kept = kept.slice(0, -1)
  else if (key.length === 1) kept = (kept + key).slice(0, KEPT_MAX)
  else return false
  return true
}

/** Discards the typed text, because no dialog will take it. */
export function forgetTyped(): void {
  handing.abort()
  kept = ''
}

/** Puts the typed text into the next dialog that gets the focus, if it starts with a field. */
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
      // Checkboxes and number fields have no caret (HTML 4.10.5.2.10) and cannot take the text.
      if (!isField || target.selectionStart === null || text === '') return
      target.setRangeText(text, target.selectionStart, target.selectionEnd ?? target.selectionStart, 'end')
      target.dispatchEvent(new InputEvent('input', { bubbles: true }))
    },
    { signal: handing.signal },
  )
}
