import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { passwordReset, RESET_PASSWORD_MIN } from '#contract/accounts/password-reset.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { paths } from '#web/platform/paths.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { PasswordInput } from '#web/platform/ui/PasswordInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { PAGE_MESSAGES } from './reset-messages.ts'

/** The form behind the link of a mail. */
export function ResetByLink({ token }: { token: string }) {
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const navigate = useNavigate()
  const reset = useCommand(passwordReset.resetByToken, {
    onSuccess: ({ cleared, printed }) => {
      toast.success(PAGE_MESSAGES.done)
      void navigate(paths.login, { replace: true, state: { cleared, printed } })
    },
    onError: (error) => setFault(sentenceOf(error, 'Failed to reset password')),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (password.length < RESET_PASSWORD_MIN)
      return setFault(`Password must be at least ${RESET_PASSWORD_MIN} characters long`)
    setFault(null)
    reset.mutate({ body: { token, new_password: password } })
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Field label="New password" help={`At least ${RESET_PASSWORD_MIN} characters.`} required>
        <PasswordInput
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          autoComplete="new-password"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has one purpose, and its form is the first thing in it
          autoFocus
        />
      </Field>
      <Alert>{fault}</Alert>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" busy={reset.isPending} busyLabel="Saving…">
          Set New Password
        </Button>
        {fault === null ? null : (
          <Link to={paths.resetPassword} className="px-2 text-accent hover:underline">
            Request a new link
          </Link>
        )}
      </div>
    </form>
  )
}
