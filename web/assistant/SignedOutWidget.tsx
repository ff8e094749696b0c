import { useEffect, useRef, useState } from 'react'
import { paths } from '#web/platform/paths.ts'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { PLEASE_LOG_IN } from './ask.ts'
import { Composer } from './Composer.tsx'
import { WidgetFrame } from './WidgetFrame.tsx'

/** Wolfy on a public page: he knows somebody's business only once they are signed in. Needs no router. */
export function SignedOutWidget({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const login = useRef<HTMLAnchorElement>(null)
  useEffect(() => login.current?.focus(), [])
  return (
    <WidgetFrame title="Wolfy" onClose={onClose}>
      <div
        role="log"
        aria-label="Conversation"
        className="flex min-h-0 flex-1 flex-col justify-end gap-3 overflow-y-auto px-4 py-4"
      >
        <p className="text-ink-2">
          Hello, I am Wolfy. I answer from your own contacts, emails, meetings, tasks and invoices, and I only
          ever propose.
        </p>
        <p className="font-medium">{PLEASE_LOG_IN}</p>
        <a ref={login} href={paths.login} className={`${buttonClass('primary')} self-start`}>
          Login
        </a>
      </div>
      <div className="px-4 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
        <Composer
          text={text}
          onText={setText}
          // What was typed stays in the field.
          onSend={() => login.current?.focus()}
          isAnswering={false}
          onStop={() => {}}
        />
      </div>
    </WidgetFrame>
  )
}
