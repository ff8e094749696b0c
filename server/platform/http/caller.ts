/** The user whose live session a call belongs to. */
export type Caller = {
  id: number
  sessionId: string
  email: string
  name: string
  timeZone: string
}
