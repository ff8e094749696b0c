import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import { type Email, emails } from '#contract/emails.ts'
import { formResolver, showFieldErrors } from '#web/api/form.ts'
import { useCommand } from '#web/api/queries.ts'
import { useSession } from '#web/auth/session.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import {
  isDuplicate,
  keepTyped,
  type LastSend,
  NOTHING_TYPED,
  readTyped,
  wantsSettings,
} from './compose-mail.ts'

const EmailConfigurationDialog = lazy(() =>
  import('#web/outreach/EmailConfigurationDialog.tsx').then((part) => ({
    default: part.EmailConfigurationDialog,
  })),
)

type Body = NonNullable<typeof emails.send.body>
const FIELDS = ['to', 'subject', 'content'] as const

type ComposeDialogProps = { open: boolean; onClose: () => void; onScheduled: () => void }

/** A new mail. What was typed outlives everything but sending it and Cancel. */
export function ComposeDialog({ open, onClose, onScheduled }: ComposeDialogProps) {
  const userId = useSession().user?.id ?? 0
  const [fault, setFault] = useState<string | null>(null)
  const [configuring, setConfiguring] = useState(false)
  const lastSend = useRef<LastSend>(null)
  const form = useForm<z.input<Body>, unknown, z.output<Body>>({
    resolver: formResolver(emails.send.body),
    defaultValues: readTyped(userId),
  })
  const { errors } = form.formState
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values: { to, subject, content } }) => keepTyped(userId, { to, subject, content }),
      }),
    [form, userId],
  )
  const leave = () => {
    keepTyped(userId, NOTHING_TYPED)
    onClose()
  }
  const send = useCommand(emails.send, {
    refreshes: [emails.list, emails.counts],
    onSuccess: (mail) => {
      tellSent(mail)
      leave()
      if (mail.status === 'scheduled') onScheduled()
    },
    onError: (error) => {
      if (wantsSettings(error)) setConfiguring(true)
      else setFault(showFieldErrors(form, error, FIELDS, 'Failed to send email'))
    },
  })
  const attempt = (body: z.output<Body>) => {
    const now = Date.now()
    if (isDuplicate(lastSend.current, body, now)) {
      toast.info('Duplicate click ignored')
      return
    }
    lastSend.current = { mail: body, at: now }
    setFault(null)
    send.mutate({ body })
  }
  const footer = (
    <>
      <Button onClick={leave} disabled={send.isPending}>
        Cancel
      </Button>
      <Button type="submit" variant="primary" busy={send.isPending}>
        Send Email
      </Button>
    </>
  )
  return (
    <>
      <Dialog
        open={open && !configuring}
        onClose={onClose}
        title="Compose"
        size="l"
        onSubmit={(event) => void form.handleSubmit(attempt)(event)}
        busy={send.isPending}
        error={fault}
        footer={footer}
      >
        <div className="flex flex-col gap-4">
          <Field label="To" error={errors.to?.message} required>
            <TextInput
              {...form.register('to')}
              type="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          </Field>
          <Field label="Subject" error={errors.subject?.message} required>
            <TextInput {...form.register('subject')} autoComplete="off" />
          </Field>
          <Field label="Content" error={errors.content?.message} required>
            <TextArea {...form.register('content')} rows={10} className="min-h-52" />
          </Field>
        </div>
      </Dialog>
      <Suspense fallback={null}>
        {configuring ? <EmailConfigurationDialog open={open} onClose={() => setConfiguring(false)} /> : null}
      </Suspense>
    </>
  )
}

/** A mail that the far server puts off is not lost, and not sent either. */
function tellSent({ status, delivery }: Email): void {
  if (status === 'scheduled') toast.success('Email scheduled')
  else if (delivery?.state === 'deferred') {
    toast.info('The mail server cannot take it yet. Howl tries again by itself.')
  } else toast.success('Email sent')
}
