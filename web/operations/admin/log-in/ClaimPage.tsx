import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useNavigate, useSearchParams } from 'react-router'
import * as z from 'zod/mini'
import { adminAuth } from '#contract/accounts/admin-auth.ts'
import { newPassword } from '#contract/accounts/new-accounts.ts'
import { emailAddress, requiredLine } from '#contract/platform/values.ts'
import { call } from '#web/platform/api/call.ts'
import { formResolver, showFieldErrors } from '#web/platform/api/form.ts'
import { paths } from '#web/platform/paths.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { PasswordInput } from '#web/platform/ui/PasswordInput.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { storeAdminSession } from '../admin-session.ts'
import { LogInCard } from './LogInCard.tsx'

const NOT_WHOLE = 'This link is not whole. Please copy all of it from the terminal.'

const form = z.object({
  name: requiredLine(120, 'Please enter your full name'),
  email: emailAddress,
  password: newPassword,
})
const FIELDS = ['name', 'email', 'password'] as const

/** Where the link leads that Howl prints while nobody administers it. */
export function ClaimPage() {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const token = query.get('token') ?? ''
  const [fault, setFault] = useState<string | null>(token === '' ? NOT_WHOLE : null)
  const fields = useForm({
    resolver: formResolver(form),
    defaultValues: { name: '', email: '', password: '' },
  })
  const { register, handleSubmit, formState } = fields
  const { errors, isSubmitting } = formState

  const submit = async (entries: z.output<typeof form>) => {
    setFault(null)
    try {
      storeAdminSession(await call(adminAuth.claim, { body: { ...entries, token } }))
      toast.success('You administer this Howl now.')
      void navigate(paths.admin, { replace: true })
    } catch (error) {
      setFault(showFieldErrors(fields, error, FIELDS, 'This did not work. Please try again.'))
    }
  }
  return (
    <LogInCard
      title="Become the administrator"
      lead="Nobody administers this Howl yet. Open the first administrator account."
      below={
        <Link to={paths.adminLogin} className="text-link">
          Admin Login
        </Link>
      }
    >
      <form noValidate onSubmit={(event) => void handleSubmit(submit)(event)} className="flex flex-col gap-4">
        <Field label="Full name" error={errors.name?.message} required>
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has one purpose, and its form is the first thing in it */}
          <TextInput {...register('name')} autoComplete="name" autoFocus />
        </Field>
        <Field label="Email" error={errors.email?.message} required>
          <TextInput
            {...register('email')}
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
        <Field
          label="Password"
          help="At least 8 characters, and none of the common ones."
          error={errors.password?.message}
          required
        >
          <PasswordInput {...register('password')} autoComplete="new-password" />
        </Field>
        <Alert>{fault}</Alert>
        <Button
          type="submit"
          variant="primary"
          busy={isSubmitting}
          busyLabel="Opening account..."
          disabled={token === ''}
          className="w-full"
        >
          Become the administrator
        </Button>
      </form>
    </LogInCard>
  )
}
