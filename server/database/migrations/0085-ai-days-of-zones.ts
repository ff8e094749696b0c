/** A changed time zone gives no second day of AI requests. */
export const aiDaysOfZones = `
-- When the day of the use ends in the zone that it was counted in; null for uses of earlier versions.
ALTER TABLE ai_uses ADD COLUMN day_ends_at timestamptz;
`
