/** A run waits for a model that fails for a passing reason. */
export const modelWaits = `
ALTER TABLE outreach_batches
  -- The user has chosen the template for all that is still to be written.
  ADD COLUMN without_model boolean NOT NULL DEFAULT false,
  -- How often in a row the model has failed for a passing reason, and the last one as a sentence.
  ADD COLUMN model_failures int NOT NULL DEFAULT 0,
  ADD COLUMN last_model_failure text NOT NULL DEFAULT '';

-- Another model may answer at once.
CREATE TRIGGER own_models_wake AFTER INSERT OR UPDATE OR DELETE ON own_models
  FOR EACH ROW EXECUTE FUNCTION wake_waiting_runs();
`
