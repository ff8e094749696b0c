/** When a user is reminded of a meeting, and what calendar programs know it by. */
export const meetingReminders = `
ALTER TABLE meetings
  ADD COLUMN reminder_minutes int CHECK (reminder_minutes IN (5, 15, 60, 1440)),
  -- The zone whose clocks the times were read from: reminders are written by them.
  ADD COLUMN time_zone text,
  -- When the reminder is due; null where none is wanted, or it has been given.
  ADD COLUMN remind_at timestamptz,
  -- The name that the meeting keeps in every calendar it is taken over into (RFC 5545 UID), and how often it has changed.
  ADD COLUMN uid uuid NOT NULL DEFAULT gen_random_uuid(),
  ADD COLUMN revision int NOT NULL DEFAULT 0,
  ADD COLUMN changed_at timestamptz;
CREATE INDEX meetings_to_remind ON meetings (remind_at) WHERE remind_at IS NOT NULL;
`
