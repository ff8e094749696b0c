/** Runs wait for the user's hours, for tomorrow, or for the user. */
export const waitingRuns = `
ALTER TABLE outreach_batches ADD waits_for text, ADD look_again_at timestamptz;

-- What a run waits for has changed: it looks at once.
CREATE FUNCTION wake_waiting_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE outreach_batches SET look_again_at = NULL
  WHERE user_id = coalesce(NEW.user_id, OLD.user_id) AND state = 'running' AND look_again_at IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER sending_rules_wake AFTER INSERT OR UPDATE OR DELETE ON sending_rules
  FOR EACH ROW EXECUTE FUNCTION wake_waiting_runs();
CREATE TRIGGER automatic_mail_stops_wake AFTER UPDATE OF stopped_at ON automatic_mail_stops
  FOR EACH ROW EXECUTE FUNCTION wake_waiting_runs();
CREATE TRIGGER mailboxes_warm_up_wake AFTER UPDATE OF warm_up_from ON mailboxes
  FOR EACH ROW WHEN (OLD.warm_up_from IS DISTINCT FROM NEW.warm_up_from) EXECUTE FUNCTION wake_waiting_runs();
`
