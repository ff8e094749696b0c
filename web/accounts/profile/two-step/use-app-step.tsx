import { useRef, useState } from 'react'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { MISSING_CODE, twoStep } from '#contract/accounts/two-step.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { AppCodeField } from '#web/accounts/auth/AppCodeField.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { AppSecret } from './AppSecret.tsx'
import type { DialogView } from './dialog-view.ts'

/** The second step of the set-up: the secret goes into the app, and its first code comes back. Null without a secret. */
export function useAppStep(props: {
  secret: ReplyOf<typeof twoStep.begin> | null
  onClose: () => void
  onDone: (codes: readonly string[]) => void
}): DialogView | null {
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const refuse = (why: string) => {
    setWrong(why)
    field.current?.focus()
    field.current?.select()
  }
  const confirm = useCommand(twoStep.confirm, {
    refreshes: [twoStep.get],
    onSuccess: ({ recovery_codes: codes }) => props.onDone(codes),
    onError: (error) => {
      const why = error.fields?.['code']
      if (why === undefined) setFault(sentenceOf(error, error.detail))
      else refuse(why)
    },
  })
  const submit = () => {
    setFault(null)
    setWrong(null)
    if (code.trim() === '') return refuse(MISSING_CODE)
    confirm.mutate({ body: { code } })
  }
  if (props.secret === null) return null
  return {
    title: 'Set up two-step sign-in',
    busy: confirm.isPending,
    error: fault,
    onSubmit: submit,
    footer: (
      <>
        <Button onClick={props.onClose} disabled={confirm.isPending}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" busy={confirm.isPending}>
          Switch on
        </Button>
      </>
    ),
    children: (
      <ol className="flex flex-col gap-5">
        <li>
          <h3 className="mb-3 font-medium">1. Add Howl to your app</h3>
          <AppSecret {...props.secret} />
        </li>
        <li>
          <h3 className="mb-3 font-medium">2. Type the code that the app shows</h3>
          <div className="max-w-72">
            <AppCodeField
              ref={field}
              value={code}
              onChange={setCode}
              error={wrong}
              takesFocus={!matchMedia('(pointer: coarse)').matches}
            />
          </div>
        </li>
      </ol>
    ),
  }
}
