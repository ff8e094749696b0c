/** What a flow says about its mails; the page and the settings have texts of their own. */
export type CodeMessages = {
  sent: string
  /** The address is known, and the mail could not be sent. */
  notSent: string
  verified: string
  done: string
}

export const UNKNOWN_EMAIL = 'This email is not registered in our system'

export const PAGE_MESSAGES: CodeMessages = {
  sent: 'OTP has been sent to the email ID',
  notSent: 'OTP generated but failed to send email. Please try again later.',
  verified: 'OTP verified',
  done: 'Password updated',
}

export const SETTINGS_MESSAGES: CodeMessages = {
  sent: 'OTP sent to your email address',
  notSent: 'Failed to send OTP. Please try again.',
  verified: 'OTP verified successfully',
  done: 'Password reset successfully!',
}

export const LINK_SENT = 'Password reset link has been sent to your email'
export const LINK_NOT_SENT = 'Reset link generated but failed to send email. Please try again later.'

/** Shown where no mail server is set: the person who waits should know where to look. */
export const printedNote = (what: 'code' | 'link' | 'invitation') =>
  `No system mail server is configured; the ${what} was printed where Howl runs.`
