import { noteReferralCode } from '#web/accounts/auth/noted-code.ts'

/**
 * Takes what a referral link carries (`/?ref=CODE&invitation=TOKEN`): the code goes to the sign-up, and the inviter learns
 * that the invitation was opened. By script only: mail scanners follow links, but run none.
 */
export function readReferralLink(): void {
  const query = new URLSearchParams(location.search)
  const code = query.get('ref')
  const token = query.get('invitation')
  if (code !== null) noteReferralCode(code)
  if (token === null) return
  // What is shared from the address bar is no personal invitation.
  query.delete('invitation')
  history.replaceState(history.state, '', `?${query.toString()}`)
  import('./tell-opened.ts').then(({ tellOpened }) => tellOpened(token)).catch(() => undefined)
}
