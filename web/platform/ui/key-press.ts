const TYPING =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=dialog], [role=menu]'

/**
 * True for a key that is meant for the page: the user is not typing, no dialog or menu is open, and no Ctrl, ⌘ or Alt
 * is held.
 */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false
  if (event.target instanceof Element && event.target.closest(TYPING) !== null) return false
  return document.querySelector('[role=dialog]:not([data-closed])') === null
}

/** The name of the command key on this machine: ⌘ or Ctrl. */
export const COMMAND_KEY = /Mac|iP/.test(navigator.userAgent) ? '⌘' : 'Ctrl'
