import { RECOVERY_CODES } from '#contract/accounts/two-step.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { type Paragraph, queueSystemMail, writeSystemMail } from '../system-mail/system-mail.ts'

/** What telling somebody needs; a command of the operator has no more. */
export type NoticeContext = Pick<Context, 'config' | 'clock' | 'secrets'>

/** What happened to two-step sign-in. `left` recovery codes are not used yet. */
type Happened = 'on' | 'off' | 'removed' | 'codes_renewed' | 'code_used' | 'guessed'
type Told = { email: string; left: number }

/** Mails the owner what happened to two-step sign-in, in the transaction of what it tells of. */
export async function mailNotice(
  context: NoticeContext,
  tx: Tx,
  happened: Happened,
  { email, left = 0 }: { email: string; left?: number },
): Promise<void> {
  const { subject, says } = TEXTS[happened]
  const paragraphs = [...says({ email, left }), ...wasItYou(happened, context.config.publicUrl)]
  await queueSystemMail(context, tx, { to: email, ...writeSystemMail(subject, paragraphs) })
}

const TEXTS: Record<Happened, { subject: string; says: (told: Told) => string[] }> = {
  on: {
    subject: 'Two-step sign-in is on',
    says: ({ email }) => [
      `From now on, logging in to your Howl account ${email} takes your password and a code from your authenticator app.`,
      `Keep your ${RECOVERY_CODES} recovery codes where you find them without your phone. Each of them works once in place of a code.`,
    ],
  },
  off: {
    subject: 'Two-step sign-in is off',
    says: ({ email }) => [
      `Two-step sign-in of your Howl account ${email} was switched off. From now on, the password alone is enough to log in.`,
    ],
  },
  removed: {
    subject: 'Two-step sign-in was removed',
    says: ({ email }) => [
      `Whoever runs this Howl has removed two-step sign-in from your account ${email}. From now on, the password alone is enough to log in.`,
      'You can set it up again in Profile & Settings.',
    ],
  },
  codes_renewed: {
    subject: 'You have new recovery codes',
    says: ({ email }) => [
      `New recovery codes were made for your Howl account ${email}. The old ones do not work any more.`,
    ],
  },
  code_used: {
    subject: 'A recovery code was used',
    says: ({ email, left }) => [
      `A recovery code of your Howl account ${email} was used just now. ${leftOver(left)}`,
    ],
  },
  guessed: {
    subject: 'Somebody may know your Howl password',
    says: ({ email }) => [
      `Wrong codes were typed several times for your Howl account ${email}, after the right password. Nobody got in with them, and further tries have to wait.`,
    ],
  },
}

function leftOver(left: number): string {
  if (left === 0) return 'None is left: make new ones in Profile & Settings.'
  return `${left} of ${RECOVERY_CODES} ${left === 1 ? 'is' : 'are'} left.`
}

function wasItYou(happened: Happened, publicUrl: string): Paragraph[] {
  return [
    'Was it you? Then there is nothing to do.',
    happened === 'removed'
      ? 'You did not ask for it? Tell them at once, and set a new password.'
      : 'It was not you? Set a new password at once, and end the sessions that you do not know in Profile & Settings.',
    { link: `${publicUrl}/reset-password`, label: 'Set a new password' },
  ]
}
