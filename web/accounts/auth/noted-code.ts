/** The code of the referral link that led here, until the sign-up takes it; in this tab only. */
const KEY = 'app.referralCode'
/** The sign-up takes no longer ones. */
const MAX = 60

export function noteReferralCode(code: string): void {
  const trimmed = code.trim()
  if (trimmed !== '' && trimmed.length <= MAX) sessionStorage.setItem(KEY, trimmed)
}

/** Gives the noted code once: whoever empties the field afterwards finds it empty. */
export function takeReferralCode(): string | null {
  const code = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return code
}
