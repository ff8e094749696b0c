/** A run says itself how often driving it has failed: there is no queue beside the table. */
export const runsAreJobs = `
ALTER TABLE outreach_batches
  -- From when on a worker may drive it; null: from its start.
  ADD COLUMN drive_at timestamptz,
  -- How often in a row driving it has failed, and how it did the last time.
  ADD COLUMN failures int NOT NULL DEFAULT 0,
  ADD COLUMN last_failure text NOT NULL DEFAULT '',
  ADD COLUMN failed_at timestamptz;

-- Work that a process does once it is free for it, as administrators see it.
CREATE VIEW jobs AS
  SELECT 'outreach.drive-batch' AS name, (lpad(to_hex(user_id), 16, '0') || lpad(to_hex(id), 16, '0'))::uuid AS id,
    user_id, started_at AS created_at, greatest(coalesce(drive_at, started_at), look_again_at) AS due_at,
    coalesce(driver_id IN (SELECT w.id FROM workers w), false) AS is_active,
    drive_at AS try_at, failures, last_failure, failed_at
  FROM outreach_batches WHERE state = 'running' AND NOT mail_is_paused(user_id);

-- The queue that there was: runs that waited in it are in their table, those that had failed every attempt are so from now on.
DO $$
BEGIN
  IF to_regclass('jobs.job') IS NOT NULL THEN
    UPDATE outreach_batches b SET failures = d.failures, last_failure = d.error, failed_at = d.failed_at
    FROM (
      SELECT DISTINCT ON (data) data->>'userId' AS user_id, data->>'batchId' AS id, created_on AS failed_at,
        coalesce((to_jsonb(j)->>'source_retry_count')::int, 5) + 1 AS failures,
        coalesce(to_jsonb(j)->'source_output'->>'message', '') AS error
      FROM jobs.job j WHERE name = 'dead-letters' AND state = 'created' ORDER BY data, created_on DESC
    ) d
    WHERE b.user_id::text = d.user_id AND b.id::text = d.id;
  END IF;
END $$;
DROP SCHEMA IF EXISTS jobs CASCADE;
`
