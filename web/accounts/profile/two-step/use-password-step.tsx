import { useRef, useState } from 'react'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { twoStep } from '#contract/accounts/two-step.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { PasswordInput } from '#web/platform/ui/PasswordInput.tsx'
import type { DialogView } from './dialog-view.ts'

/** The first step of the set-up: the password. */
export function usePasswordStep(props: {
  onClose: () => void
  onDone: (secret: ReplyOf<typeof twoStep.begin>) => void
}): DialogView {
  const [password, setPassword] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const begin = useCommand(twoStep.begin, {
    onSuccess: props.onDone,
    onError: (error) => {
      const why = error.fields?.['password']
      if (why === undefined) return setFault(sentenceOf(error, error.detail))
      setWrong(why)
      field.current?.focus()
      field.current?.select()
    },
  })
  const submit = () => {
    setFault(null)
    setWrong(null)
    if (password === '') {
      setWrong('Please enter your password')
      return field.current?.focus()
    }
    begin.mutate({ body: { password } })
  }
  return {
    title: 'Set up two-step sign-in',
    description: 'You need an authenticator app on your phone, or a password manager that shows such codes.',
    size: 's',
    busy: begin.isPending,
    error: fault,
    onSubmit: submit,
    footer: (
      <>
        <Button onClick={props.onClose} disabled={begin.isPending}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" busy={begin.isPending}>
          Continue
        </Button>
      </>
    ),
    children: (
      <Field label="Password" help="To make sure that it is you." error={wrong ?? undefined} required>
        <PasswordInput
          ref={field}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          autoComplete="current-password"
        />
      </Field>
    ),
  }
}
