import { onTestFinished } from 'vitest'

/** Collects the text that dialogs show while they close: what the user sees fade out. */
export function closingDialogs(): string[] {
  const seen: string[] = []
  const observer = new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll('[role=dialog][data-ending-style]'))
      if (textContent !== null && textContent !== seen.at(-1)) seen.push(textContent)
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
  onTestFinished(() => observer.disconnect())
  return seen
}
