import { useRef, useState } from 'react'
import { MISSING_CODE } from '#contract/accounts/two-step.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { AppCodeField, type CodeKind } from './AppCodeField.tsx'
import type { Outcome } from './session-store.ts'
import { StepForm } from './reset/StepForm.tsx'

const MISSING: Record<CodeKind, string> = {
  app: MISSING_CODE,
  recovery: 'Please enter one of your recovery codes',
}

/** The second step of a log-in: a code. `onBack` leads to the first, with a sentence if that is what went wrong. */
export function SecondStep(props: {
  logIn: (code: string) => Promise<Outcome>
  onBack: (why?: string) => void
}) {
  const [kind, setKind] = useState<CodeKind>('app')
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  const refuse = (why: string) => {
    setWrong(why)
    field.current?.focus()
    field.current?.select()
  }
  const submit = async () => {
    if (busy) return
    setFault(null)
    setWrong(null)
    if (code.trim() === '') return refuse(MISSING[kind])
    setBusy(true)
    const outcome = await props.logIn(code)
    setBusy(false)
    if (outcome.ok) toast.success('Login successful!')
    // The password was changed meanwhile.
    else if (outcome.code === 'UNAUTHENTICATED') props.onBack(outcome.message)
    else if (outcome.fields?.['totp'] !== undefined) refuse(outcome.fields['totp'])
    else setFault(outcome.message)
  }
  const change = (next: CodeKind) => {
    setKind(next)
    setCode('')
    setWrong(null)
    field.current?.focus()
  }
  return (
    <StepForm onSubmit={() => void submit()}>
      <p className="text-ink-2">One more step: show that it is you.</p>
      <AppCodeField
        ref={field}
        value={code}
        onChange={setCode}
        kind={kind}
        onKind={change}
        error={wrong}
        takesFocus
      />
      <Alert>{fault}</Alert>
      <div className="flex gap-2">
        <Button onClick={() => props.onBack()} disabled={busy}>
          Back
        </Button>
        <Button type="submit" variant="primary" busy={busy} busyLabel="Logging in..." className="grow">
          Login
        </Button>
      </div>
    </StepForm>
  )
}
