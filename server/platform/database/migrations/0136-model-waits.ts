/** A run waits for a model that fails for a passing reason. */
export const modelWaits = `
ALTER TABLE outreach_batches
  -- The user has chosen the template for all that is still to be written.
  ADD COLUMN without_model boolean NOT NULL DEFAULT false,
  -- How often in a row the model has failed for a passing reason, and the last one as a sentence.
  ADD COLUMN model_failures int NOT NULL DEFAULT 0,
  ADD COLUMN last_model_failure text NOT NULL DEFAULT '',
  -- Raised whenever its state or what it may wait for changes: what a driver has read before is out of date.
  ADD COLUMN wakes int NOT NULL DEFAULT 0;

-- A run that is being driven is told too: it is about to wait for what has just changed.
CREATE OR REPLACE FUNCTION wake_waiting_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE outreach_batches SET look_again_at = NULL, wakes = wakes + 1
  WHERE user_id = coalesce(NEW.user_id, OLD.user_id) AND state = 'running';
  RETURN NULL;
END $$;

-- Another model may answer at once.
CREATE TRIGGER own_models_wake AFTER INSERT OR UPDATE OR DELETE ON own_models
  FOR EACH ROW EXECUTE FUNCTION wake_waiting_runs();
`
