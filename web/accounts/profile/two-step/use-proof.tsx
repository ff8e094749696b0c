import { useRef, useState } from 'react'
import { MISSING_CODE } from '#contract/accounts/two-step.ts'
import { type ApiError, sentenceOf } from '#web/platform/api/errors.ts'
import { AppCodeField, type CodeKind } from '#web/accounts/auth/AppCodeField.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { PasswordInput } from '#web/platform/ui/PasswordInput.tsx'
import type { DialogView } from './dialog-view.ts'

type Proof = { password: string; code: string }

/** The step of a dialog that asks for the password and a code, before two-step sign-in is changed. */
export function useProof(props: {
  title: string
  description: string
  action: string
  danger?: boolean
  busy: boolean
  error: ApiError | null
  onClose: () => void
  onProof: (proof: Proof) => void
}): DialogView {
  const { title, description, action, busy, error } = props
  const [kind, setKind] = useState<CodeKind>('app')
  const [proof, setProof] = useState<Proof>({ password: '', code: '' })
  const [missing, setMissing] = useState<Partial<Proof>>({})
  const password = useRef<HTMLInputElement>(null)
  const code = useRef<HTMLInputElement>(null)

  const submit = () => {
    const found: Partial<Proof> = {
      ...(proof.password === '' ? { password: 'Please enter your password' } : {}),
      ...(proof.code.trim() === '' ? { code: MISSING_CODE } : {}),
    }
    setMissing(found)
    if (found.password !== undefined) password.current?.focus()
    else if (found.code !== undefined) code.current?.focus()
    else props.onProof(proof)
  }
  const wrong = { ...error?.fields, ...missing }
  const isPlaced = error?.fields?.['password'] !== undefined || error?.fields?.['code'] !== undefined
  return {
    title,
    description,
    size: 's',
    busy,
    error: error === null || isPlaced ? null : sentenceOf(error, error.detail),
    onSubmit: submit,
    footer: (
      <>
        <Button onClick={props.onClose} disabled={busy}>
          Cancel
        </Button>
        <Button type="submit" variant={props.danger === true ? 'danger' : 'primary'} busy={busy}>
          {action}
        </Button>
      </>
    ),
    children: (
      <div className="flex flex-col gap-4">
        <Field label="Password" error={wrong['password']} required>
          <PasswordInput
            ref={password}
            value={proof.password}
            onChange={(event) => setProof({ ...proof, password: event.target.value })}
            autoComplete="current-password"
          />
        </Field>
        <AppCodeField
          ref={code}
          value={proof.code}
          onChange={(typed) => setProof({ ...proof, code: typed })}
          kind={kind}
          onKind={(next) => {
            setKind(next)
            setProof({ ...proof, code: '' })
            code.current?.focus()
          }}
          error={wrong['code'] ?? null}
        />
      </div>
    ),
  }
}
