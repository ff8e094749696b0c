const MB = 1024 * 1024
const GB = 1024 * MB
const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** From where on a check warns, and from where on it fails. Shares are parts of 1, times are seconds. */
export const LIMITS = {
  /** Free room on the disk: less than both of a pair is little. */
  diskLittle: { bytes: 5 * GB, share: 0.1 },
  diskFull: { bytes: GB, share: 0.02 },
  memoryLittle: { bytes: 256 * MB, share: 0.08 },
  memoryFull: { bytes: 64 * MB, share: 0.03 },
  connectionsMany: 0.8,
  connectionsAll: 0.95,
  /** A transaction that stays open keeps the database from clearing up. */
  transactionLong: 10 * MINUTE,
  databaseSlow: 0.5,
  /** Codes of two-step sign-in bear half a minute. */
  clockOff: 5,
  clockWrong: 30,
  roundLate: MINUTE,
  jobsLate: 5 * MINUTE,
  mailLate: 30 * MINUTE,
  systemMailLate: 10 * MINUTE,
  ratesOld: 3 * DAY,
  backupOld: 2 * DAY,
  backupTooOld: 14 * DAY,
  chainCheckOld: 90 * DAY,
  certificateEnding: 14 * DAY,
  certificateEnds: 3 * DAY,
  modelSlow: 10,
  /** Share of mailboxes in trouble from which on it is hardly the users' own doing. */
  mailboxesMany: 0.3,
  /** The domains that most mailboxes send from. */
  domains: 20,
} as const satisfies Record<string, number | { bytes: number; share: number }>

export type Limits = {
  [Name in keyof typeof LIMITS]: (typeof LIMITS)[Name] extends number
    ? number
    : { bytes: number; share: number }
}
