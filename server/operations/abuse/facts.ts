/** What a user's mail came to on one day (UTC). Bounces and complaints count for the day when the mail left. */
export type MailDay = {
  day: Date
  /** Mails that servers took; those that were refused at once are among `noAddress` and `noDomain` only. */
  sent: number
  strangers: number
  roleAddresses: number
  noAddress: number
  noDomain: number
  refusedAtOnce: number
  complaints: number
  replies: number
  /** {@link RECIPIENT_DOMAINS_MIN} at most of the recipients' domains that bounces and complaints are about. */
  bounceDomains: readonly string[]
  complaintDomains: readonly string[]
}

export type MailFacts = {
  openedAt: Date
  now: Date
  /** The last {@link MAIL_DAYS} days on which there was anything. */
  days: readonly MailDay[]
  /** Contacts that imports of the last 7 days added. */
  imported: number
  /** When each single mail left that has the same words as most others of this day, and went to a stranger. */
  sameWords: readonly Date[]
}
export const MAIL_DAYS = 35

/** Tries at other people's doors that failed, from addresses that only this user signs in from. */
export type DoorFacts = {
  /** Failed log-ins: whose account it was; null where there is no such account. */
  logIns: readonly { userId: number | null; at: Date }[]
  /** Codes and links: of administrators and claims, or of somebody's reset. */
  codes: readonly { isAdmin: boolean; at: Date }[]
}

/** When a limit stopped a call of the user; a minute at most is written down once for each call. */
export type CallFacts = { stopped: readonly Date[] }

/** Accounts of one network: when those were opened that are neither confirmed after a day nor used. */
export type AccountFacts = { opened: number; doubtful: readonly Date[] }

/** Friends who signed up with the user's code. */
export type FriendFacts = { friends: readonly { at: Date; isDoubtful: boolean }[] }

export type InvitationFacts = { invitations: readonly { at: Date; hasFailed: boolean; isOpened: boolean }[] }
