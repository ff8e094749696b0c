/**
 * How many contacts of a user were mailed, and how many of them replied: kept with their standings, as counting them for
 * every look at the dashboard takes the longer the more there are. A sum of lanes: each connection counts in its own, so
 * that sending, reading and importing do not wait for one another.
 */
export const mailedCounts = `
CREATE TABLE mailed_counts (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  lane int NOT NULL,
  mailed bigint NOT NULL,
  replied bigint NOT NULL,
  PRIMARY KEY (user_id, lane)
) WITH (fillfactor = 50);

CREATE FUNCTION count_mailed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    -- Never a new row: the user may be the one who goes.
    UPDATE mailed_counts c SET mailed = c.mailed - d.mailed, replied = c.replied - d.replied
    FROM (SELECT user_id, count(*) AS mailed, count(*) FILTER (WHERE status IN ('replied', 'interested')) AS replied
          FROM old_rows WHERE mailed GROUP BY 1) d
    WHERE c.user_id = d.user_id AND c.lane = (SELECT min(lane) FROM mailed_counts m WHERE m.user_id = d.user_id);
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO mailed_counts AS c (user_id, lane, mailed, replied)
    SELECT user_id, pg_backend_pid() % 64, count(*), count(*) FILTER (WHERE status IN ('replied', 'interested'))
    FROM new_rows WHERE mailed GROUP BY 1 ORDER BY 1
    ON CONFLICT (user_id, lane) DO UPDATE SET mailed = c.mailed + excluded.mailed, replied = c.replied + excluded.replied;
  ELSE
    INSERT INTO mailed_counts AS c (user_id, lane, mailed, replied)
    SELECT user_id, pg_backend_pid() % 64, sum(mailed), sum(replied)
    FROM (
      SELECT user_id, 1 AS mailed, (status IN ('replied', 'interested'))::int AS replied FROM new_rows WHERE mailed
      UNION ALL
      SELECT user_id, -1, -(status IN ('replied', 'interested'))::int FROM old_rows WHERE mailed
    ) changes
    GROUP BY 1 HAVING sum(mailed) <> 0 OR sum(replied) <> 0 ORDER BY 1
    ON CONFLICT (user_id, lane) DO UPDATE SET mailed = c.mailed + excluded.mailed, replied = c.replied + excluded.replied;
  END IF;
  RETURN NULL;
END $$;

INSERT INTO mailed_counts (user_id, lane, mailed, replied)
SELECT s.user_id, 0, count(*), count(*) FILTER (WHERE s.status IN ('replied', 'interested'))
FROM contact_standings s JOIN contacts c ON c.user_id = s.user_id AND c.id = s.contact_id
WHERE s.mailed GROUP BY 1;

CREATE TRIGGER standings_counted_in AFTER INSERT ON contact_standings
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_mailed();
CREATE TRIGGER standings_counted_on AFTER UPDATE ON contact_standings
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_mailed();
CREATE TRIGGER standings_counted_out AFTER DELETE ON contact_standings
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_mailed();
`
