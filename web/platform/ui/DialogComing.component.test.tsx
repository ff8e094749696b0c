import { startTransition, useEffect, useState } from 'react'
import { expect, test } from 'vitest'
import { emptyAccount } from '../../../tests/support/empty-account.ts'
import { show } from '../../../tests/support/component-page.tsx'
import { DialogComing } from './DialogComing.tsx'

test('no key reaches the page from the moment that a dialog is seen to come', async () => {
  emptyAccount()
  const first = new Promise<KeyboardEvent>((pressed) => {
    const seen = new MutationObserver(() => {
      if (document.querySelector('[role=dialog]') === null) return
      seen.disconnect()
      const event = new KeyboardEvent('keydown', { key: 'e', bubbles: true, cancelable: true })
      document.body.dispatchEvent(event)
      pressed(event)
    })
    seen.observe(document.body, { childList: true })
  })
  show(<OpenedLater />)
  expect((await first).defaultPrevented).toBe(true)
})

/** Opens it as a page opens a dialog that takes long to render. */
function OpenedLater() {
  const [open, setOpen] = useState(false)
  useEffect(() => startTransition(() => setOpen(true)), [])
  return open ? <DialogComing onClose={() => undefined} /> : null
}
