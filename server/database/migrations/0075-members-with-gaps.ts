/** Members whose next mail would have a gap. */
export const membersWithGaps = `
ALTER TABLE sequence_members ADD COLUMN has_gap boolean NOT NULL DEFAULT false;
CREATE INDEX sequence_members_with_gap ON sequence_members (user_id) WHERE has_gap AND is_open;

-- The contact may be complete now.
CREATE FUNCTION sequences_meet_changed_contact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sequence_members SET due_at = NEW.updated_at
  WHERE user_id = NEW.user_id AND contact_id = NEW.id AND is_open AND has_gap;
  RETURN NULL;
END $$;
CREATE TRIGGER contacts_change_for_sequences AFTER UPDATE OF name, email, company, position ON contacts
  FOR EACH ROW WHEN ((OLD.name, OLD.email, OLD.company, OLD.position) IS DISTINCT FROM (NEW.name, NEW.email, NEW.company, NEW.position))
  EXECUTE FUNCTION sequences_meet_changed_contact();

-- The template may have a default now.
CREATE FUNCTION sequences_meet_changed_template() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sequence_members SET due_at = NEW.updated_at WHERE user_id = NEW.user_id AND is_open AND has_gap;
  RETURN NULL;
END $$;
CREATE TRIGGER templates_change_for_sequences AFTER UPDATE OF subject, body ON templates
  FOR EACH ROW WHEN ((OLD.subject, OLD.body) IS DISTINCT FROM (NEW.subject, NEW.body))
  EXECUTE FUNCTION sequences_meet_changed_template();
`
