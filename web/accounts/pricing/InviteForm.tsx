import { useState } from 'react'
import { type Resolver, useForm, useWatch } from 'react-hook-form'
import { CREDITS_PER_FRIEND, PERSONAL_MESSAGE_MAX, referrals } from '#contract/operations/referrals.ts'
import { formResolver, showFieldErrors } from '#web/platform/api/form.ts'
import { printedNote } from '#web/accounts/auth/reset/reset-messages.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'

type Entries = { email: string; personal_message: string }
const FIELDS = ['email', 'personal_message'] as const
const NOTHING: Entries = { email: '', personal_message: '' }
const FAILED = 'Failed to send invitation. Please try again.'

/** Mails an invitation. What was typed stays until it has left. */
export function InviteForm() {
  const [fault, setFault] = useState<string | null>(null)
  const form = useForm<Entries>({
    defaultValues: NOTHING,
    resolver: formResolver(referrals.invite.body) as Resolver<Entries>,
  })
  const { register, formState, control } = form
  const invite = useCommand(referrals.invite, {
    refreshes: [referrals.stats],
    onSuccess: ({ credits_earned, printed }) => {
      form.reset(NOTHING)
      form.setFocus('email')
      toast.success(`Invitation sent! You earned ${credits_earned} credits!`)
      toast.info(`${CREDITS_PER_FRIEND} follow when your friend signs up.`)
      if (printed) toast.info(printedNote('invitation'))
    },
    onError: (error) => setFault(showFieldErrors(form, error, FIELDS, FAILED)),
  })
  const send = form.handleSubmit(({ email, personal_message }) => {
    if (invite.isPending) return
    setFault(null)
    invite.mutate({ body: { email, personal_message: personal_message || null } })
  })
  const { length } = useWatch({ control, name: 'personal_message' })
  return (
    <Card title="Invite a friend">
      <form noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-4">
        <Field label="Friend’s email" error={formState.errors.email?.message} required>
          <TextInput
            {...register('email')}
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
        <Field
          label="Personal message"
          help="Optional. It stands in the invitation, as you write it."
          aside={
            <span className="tabular-nums">
              {length}/{PERSONAL_MESSAGE_MAX}
            </span>
          }
          error={formState.errors.personal_message?.message}
        >
          <TextArea {...register('personal_message')} rows={3} maxLength={PERSONAL_MESSAGE_MAX} />
        </Field>
        <Alert>{fault}</Alert>
        <Button
          type="submit"
          variant="primary"
          busy={invite.isPending}
          busyLabel="Sending…"
          className="self-start"
        >
          Send invitation
        </Button>
      </form>
    </Card>
  )
}
