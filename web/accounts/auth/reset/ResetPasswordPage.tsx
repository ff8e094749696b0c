import { Link, useSearchParams } from 'react-router'
import { paths } from '#web/platform/paths.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { useDocumentTitle } from '#web/platform/ui/document-title.ts'
import { ResetByCode } from './ResetByCode.tsx'
import { ResetByLink } from './ResetByLink.tsx'

/** A new password for whoever has forgotten theirs: by a mailed code, or by the link of a mail. */
export function ResetPasswordPage() {
  const [query] = useSearchParams()
  const token = query.get('token') ?? ''
  useDocumentTitle('Reset Password')
  return (
    <div className="mx-auto w-full max-w-100 pt-4 sm:pt-12">
      <h1 className="font-display text-2xl font-medium">
        {token === '' ? 'Reset Password' : 'Set New Password'}
      </h1>
      <p className="mt-1 mb-5 text-ink-2">
        {token === '' ? 'We email you a code or a link.' : 'Choose the password that you will log in with.'}
      </p>
      <Card>{token === '' ? <ResetByCode /> : <ResetByLink key={token} token={token} />}</Card>
      <p className="mt-5 text-ink-2">
        Remembered it?{' '}
        <Link to={paths.login} className="font-medium text-accent hover:underline">
          Back to login
        </Link>
      </p>
    </div>
  )
}
